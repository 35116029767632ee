package dev.equipoise.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RunTimelineTest {

    /** Types of the events that tell no state of a run. */
    private static final Set<String> EXCLUDED =
            Set.of(
                    RunEvent.WAITING,
                    RunEvent.PREDICTION,
                    RunEvent.PROGRESS,
                    RunEvent.METRICS,
                    RunEvent.EPOCH,
                    RunEvent.NOTE);

    @Test
    void everyEventTypeIsATransitionOrIsExcluded() {
        assertThat(Stream.of(RunTimeline.TRANSITIONS, EXCLUDED).flatMap(Set::stream))
                .containsExactlyInAnyOrderElementsOf(RunEvent.TYPES.values());
    }
}
