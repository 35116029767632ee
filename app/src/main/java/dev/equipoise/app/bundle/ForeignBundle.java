package dev.equipoise.app.bundle;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.Violation;
import dev.equipoise.app.run.FinishedRuns;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A bundle that came from elsewhere, read.
 *
 * @param checksum the same of bundles with the same content
 * @param study without its runs
 */
record ForeignBundle(
        String checksum, JsonNode definition, Study study, List<Study.ForeignRun> runs) {

    /** Of all runs together: what is more is not the study of one experiment. */
    static final int MOST_EPOCHS = 100_000;

    /** That took part. */
    static final int MOST_WORKERS = 1_000;

    ForeignBundle {
        runs = List.copyOf(runs);
    }

    /**
     * Reads a zip as a whole.
     *
     * @throws Problem {@code invalid-bundle} with what is wrong with it first
     */
    static ForeignBundle read(byte[] zip, JsonMapper json) {
        BundleFiles files = BundleFiles.read(zip, json);
        Manifest manifest = files.manifest();
        StudyWorkers workers = files.read(Bundles.WORKERS, StudyWorkers.class);
        List<String> runs = files.in(Bundles.RUNS);
        requireAtMost(FinishedRuns.MOST, runs.size(), Bundles.RUNS);
        requireAtMost(MOST_WORKERS, workers.workers().size(), Bundles.WORKERS + "/workers");
        List<Study.ForeignRun> measured = new ArrayList<>();
        int epochs = 0;
        for (String name : runs) {
            Study.ForeignRun run = run(name, files, workers);
            epochs += run.epochs().size();
            requireAtMost(MOST_EPOCHS, epochs, name + "/epochs");
            measured.add(run);
        }
        return new ForeignBundle(
                files.checksum(),
                files.tree(Bundles.DEFINITION),
                new Study(
                        manifest.product(),
                        manifest.asOf(),
                        manifest.experiment(),
                        List.of(),
                        workers.workers().stream()
                                .map(it -> new Study.Machine(it.name(), it.host()))
                                .toList()),
                measured);
    }

    private static void requireAtMost(int most, int number, String of) {
        if (number > most) {
            throw Problem.of(
                    ErrorCode.INVALID_BUNDLE,
                    List.of(
                            new Violation(
                                    "/" + of,
                                    "must be at most %d in all".formatted(most),
                                    number)));
        }
    }

    /** Whatever in it cannot be is its own fault: it came from elsewhere. */
    private static Study.ForeignRun run(String name, BundleFiles files, StudyWorkers workers) {
        StudyRun run = files.read(name, StudyRun.class);
        try {
            return Study.ForeignRun.of(run, workers);
        } catch (IllegalArgumentException | NullPointerException impossible) {
            throw Problem.of(
                    ErrorCode.INVALID_BUNDLE,
                    List.of(
                            new Violation(
                                    "/" + name,
                                    "must be a run as it can have been: " + impossible.getMessage(),
                                    null)));
        }
    }
}
