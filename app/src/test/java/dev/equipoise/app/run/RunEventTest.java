package dev.equipoise.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RunEventTest {

    /** Types of the events that tell no state of a run. */
    private static final Set<String> NO_TRANSITIONS =
            Set.of(
                    RunEvent.WAITING,
                    RunEvent.PREDICTION,
                    RunEvent.PROGRESS,
                    RunEvent.METRICS,
                    RunEvent.EPOCH,
                    RunEvent.NOTE);

    private static List<JsonSubTypes.Type> subTypes() {
        return List.of(RunEvent.class.getAnnotation(JsonSubTypes.class).value());
    }

    @Test
    void everyEventHasATypeOfItsOwn() {
        assertThat(subTypes().stream().<Class<?>>map(JsonSubTypes.Type::value))
                .containsExactlyInAnyOrder(RunEvent.class.getPermittedSubclasses());
        assertThat(subTypes().stream().map(JsonSubTypes.Type::name)).doesNotHaveDuplicates();
    }

    @Test
    void everyTypeIsInOneOfTheTwoSets() {
        assertThat(Stream.of(RunTimeline.TRANSITIONS, NO_TRANSITIONS).flatMap(Set::stream))
                .containsExactlyInAnyOrderElementsOf(
                        subTypes().stream().map(JsonSubTypes.Type::name).toList());
    }
}
