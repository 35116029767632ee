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
 * What another lab has measured, and what the same came to here.
 *
 * @param experiment the one that was made of the bundle
 * @param study with the runs of this page
 * @param again the runs of this page beside those here, where both are completed
 * @param next the cursor of the page behind, or null where there is none
 */
@Schema(name = "ImportedStudy")
record ImportedView(
        UUID experiment,
        Instant importedAt,
        Study study,
        List<Again> again,
        @Nullable String next) {

    ImportedView {
        again = List.copyOf(again);
    }

    /**
     * A configuration that was run there and here.
     *
     * @param there the run of the other lab
     * @param here the newest run of the same configuration here
     * @param epochSecondsRatio an epoch here by one there; null where one of them is not known
     * @param accuracyDifference the test accuracy here less the one there; null likewise
     */
    record Again(
            int position,
            RunId there,
            RunId here,
            @Nullable Double epochSecondsRatio,
            @Nullable Double accuracyDifference) {

        static Again of(Study.ForeignRun there, Outcome here) {
            return new Again(
                    there.position(),
                    there.id(),
                    here.run(),
                    ratio(here.epochSeconds(), there.epochSeconds()),
                    difference(here.testAccuracy(), there.testAccuracy()));
        }

        private static @Nullable Double ratio(@Nullable Double part, @Nullable Double whole) {
            return part == null || whole == null || whole == 0
                    ? null
                    : Double.valueOf(part / whole);
        }

        private static @Nullable Double difference(@Nullable Double one, @Nullable Double other) {
            return one == null || other == null ? null : Double.valueOf(one - other);
        }
    }

    /**
     * Lays what was measured there and here side by side.
     *
     * @param page some of the runs there
     * @param limit how many a page has
     * @param newest of each configuration here the newest run that completed
     */
    static ImportedView of(
            ImportedStudy imported, List<ImportedRun> page, int limit, List<Outcome> newest) {
        List<Study.ForeignRun> runs = page.stream().map(ImportedRun::run).toList();
        List<Again> again =
                runs.stream()
                        .filter(there -> there.state() == RunState.COMPLETED)
                        .flatMap(there ->
                                at(there.position(), newest)
                                        .map(here -> Again.of(there, here))
                                        .stream())
                        .toList();
        return new ImportedView(
                imported.getId(),
                imported.importedAt(),
                imported.study().with(runs),
                again,
                Cursor.next(page, limit, it -> new Cursor(List.of(String.valueOf(it.number())))));
    }

    private static Optional<Outcome> at(int position, List<Outcome> newest) {
        return newest.stream().filter(it -> it.position() == position).findFirst();
    }
}
