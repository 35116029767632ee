package dev.equipoise.app.bundle;

import dev.equipoise.app.page.Cursor;
import dev.equipoise.app.run.FinishedRuns.Outcome;
import dev.equipoise.app.run.RunState;
import dev.equipoise.protocol.RunId;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Response of the API with the results of an imported study, next to the results of the same
 * configurations in this lab.
 *
 * @param experiment the experiment that was created from the bundle
 * @param importedAt time of the import
 * @param study the study of the other lab, with the runs of this page
 * @param again completed runs of the other lab that this lab has repeated
 * @param next the cursor of the next page, or null for the last page
 */
@Schema(name = "ImportedStudy")
record ImportedView(
        UUID experiment,
        Instant importedAt,
        Study study,
        List<RepeatedRun> again,
        @Nullable String next) {

    ImportedView {
        again = List.copyOf(again);
    }

    /**
     * Run of the other lab, compared with its repetition in this lab.
     *
     * @param position position of the configuration in the experiment
     * @param there the completed run of the other lab
     * @param here the newest completed run of the same configuration in this lab
     * @param epochSecondsRatio seconds of an epoch here over seconds there; null if either is
     *     unknown
     * @param accuracyDifference test accuracy here minus test accuracy there; null if either is
     *     unknown
     */
    record RepeatedRun(
            int position,
            RunId there,
            RunId here,
            @Nullable Double epochSecondsRatio,
            @Nullable Double accuracyDifference) {

        static RepeatedRun of(Study.ImportedRun there, Outcome here) {
            return new RepeatedRun(
                    there.position(),
                    there.id(),
                    here.run(),
                    ratio(here.epochSeconds(), there.epochSeconds()),
                    difference(here.testAccuracy(), there.testAccuracy()));
        }

        private static @Nullable Double ratio(
                @Nullable Double numerator, @Nullable Double denominator) {
            return numerator == null || denominator == null || denominator == 0
                    ? null
                    : Double.valueOf(numerator / denominator);
        }

        private static @Nullable Double difference(@Nullable Double one, @Nullable Double other) {
            return one == null || other == null ? null : Double.valueOf(one - other);
        }
    }

    /**
     * Pairs the runs of both labs.
     *
     * @param page runs of the other lab
     * @param limit the maximum length of a page
     * @param newest the newest completed run here of each configuration
     */
    static ImportedView of(
            ImportedStudy imported, List<StoredImportedRun> page, int limit, List<Outcome> newest) {
        List<Study.ImportedRun> runs = page.stream().map(StoredImportedRun::run).toList();
        return new ImportedView(
                imported.getId(),
                imported.importedAt(),
                imported.study().with(runs),
                repeated(runs, newest),
                Cursor.next(page, limit, it -> new Cursor(List.of(String.valueOf(it.number())))));
    }

    private static List<RepeatedRun> repeated(List<Study.ImportedRun> runs, List<Outcome> newest) {
        return runs.stream()
                .filter(there -> there.state() == RunState.COMPLETED)
                .flatMap(there ->
                        at(there.position(), newest)
                                .map(here -> RepeatedRun.of(there, here))
                                .stream())
                .toList();
    }

    private static Optional<Outcome> at(int position, List<Outcome> newest) {
        return newest.stream().filter(it -> it.position() == position).findFirst();
    }
}
