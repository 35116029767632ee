package dev.equipoise.app.bundle;

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
 * @param again the runs there beside those here, where both are completed
 */
@Schema(name = "ImportedStudy")
record ImportedView(UUID experiment, Instant importedAt, Study study, List<Again> again) {

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
     * @param completed here, the newest first
     */
    static ImportedView of(ImportedStudy imported, List<Outcome> completed) {
        List<Again> again =
                imported.study().runs().stream()
                        .filter(there -> there.state() == RunState.COMPLETED)
                        .flatMap(there ->
                                newest(completed, there.position())
                                        .map(here -> Again.of(there, here))
                                        .stream())
                        .toList();
        return new ImportedView(imported.getId(), imported.importedAt(), imported.study(), again);
    }

    private static Optional<Outcome> newest(List<Outcome> completed, int position) {
        return completed.stream().filter(it -> it.position() == position).findFirst();
    }
}
