package dev.equipoise.app.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.run.RunEvent;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RunLogTest {

    /** Types of the events that have no log line, since a run has too many of them. */
    private static final Set<String> WITHOUT_LINE = Set.of(RunEvent.PROGRESS, RunEvent.METRICS);

    @Test
    void everyEventTypeHasALogLineOrIsExcluded() {
        assertThat(Stream.of(RunLog.TYPES, WITHOUT_LINE).flatMap(Set::stream))
                .containsExactlyInAnyOrderElementsOf(RunEvent.TYPES.values());
    }
}
