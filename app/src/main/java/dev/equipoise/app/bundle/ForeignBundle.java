package dev.equipoise.app.bundle;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.Violation;
import dev.equipoise.app.run.FinishedRuns;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A bundle that came from elsewhere, read.
 *
 * @param checksum the same of bundles with the same content
 */
record ForeignBundle(String checksum, JsonNode definition, Study study) {

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
        if (runs.size() > FinishedRuns.MOST) {
            throw Problem.of(
                    ErrorCode.INVALID_BUNDLE,
                    List.of(
                            new Violation(
                                    "/" + Bundles.RUNS,
                                    "must be at most " + FinishedRuns.MOST,
                                    runs.size())));
        }
        return new ForeignBundle(
                files.checksum(),
                files.tree(Bundles.DEFINITION),
                new Study(
                        manifest.product(),
                        manifest.asOf(),
                        manifest.experiment(),
                        runs.stream().map(name -> run(name, files, workers)).toList(),
                        workers.workers().stream()
                                .map(it -> new Study.Machine(it.name(), it.host()))
                                .toList()));
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
