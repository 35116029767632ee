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
 * A parsed bundle.
 *
 * @param checksum equal for bundles with the same content
 * @param study without its runs
 */
record ImportedBundle(
        String checksum, JsonNode definition, Study study, List<Study.ImportedRun> runs) {

    /** The maximum number of epochs of all runs together; the study of one experiment has fewer. */
    static final int MAX_EPOCHS = 100_000;

    /** The maximum number of workers that took part. */
    static final int MAX_WORKERS = 1_000;

    ImportedBundle {
        runs = List.copyOf(runs);
    }

    /**
     * Parses a bundle.
     *
     * @throws Problem {@code invalid-bundle} with the first violation
     */
    static ImportedBundle read(byte[] zip, JsonMapper json) {
        BundleFiles files = BundleFiles.read(zip, json);
        Manifest manifest = files.manifest();
        StudyWorkers workers = files.read(BundleFiles.WORKERS, StudyWorkers.class);
        List<String> runs = files.in(BundleFiles.RUNS);
        requireAtMost(FinishedRuns.MAX_RUNS, runs.size(), BundleFiles.RUNS);
        requireAtMost(MAX_WORKERS, workers.workers().size(), BundleFiles.WORKERS + "/workers");
        BundledFigures.check(workers);
        List<Study.ImportedRun> importedRuns = new ArrayList<>();
        int epochs = 0;
        for (String name : runs) {
            Study.ImportedRun run = run(name, files, workers);
            epochs += run.epochs().size();
            requireAtMost(MAX_EPOCHS, epochs, name + "/epochs");
            importedRuns.add(run);
        }
        return new ImportedBundle(
                files.checksum(),
                files.tree(BundleFiles.DEFINITION),
                new Study(
                        manifest.product(),
                        manifest.asOf(),
                        manifest.experiment(),
                        List.of(),
                        workers.workers().stream()
                                .map(it -> new Study.ImportedWorker(it.name(), it.host()))
                                .toList()),
                importedRuns);
    }

    private static void requireAtMost(int limit, int number, String pointer) {
        if (number > limit) {
            throw Problem.of(
                    ErrorCode.INVALID_BUNDLE,
                    List.of(
                            new Violation(
                                    "/" + pointer,
                                    "must have at most %d in total".formatted(limit),
                                    number)));
        }
    }

    /** Reports impossible values of a run as an invalid bundle, since the bundle contains them. */
    private static Study.ImportedRun run(String name, BundleFiles files, StudyWorkers workers) {
        StudyRun run = files.read(name, StudyRun.class);
        try {
            BundledFigures.check(name, run);
            return Study.ImportedRun.of(run, workers);
        } catch (IllegalArgumentException | NullPointerException impossible) {
            throw Problem.of(
                    ErrorCode.INVALID_BUNDLE,
                    List.of(
                            new Violation(
                                    "/" + name,
                                    "must be a possible run: " + impossible.getMessage(),
                                    null)));
        }
    }
}
