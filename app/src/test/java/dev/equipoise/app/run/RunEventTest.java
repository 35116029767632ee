package dev.equipoise.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunEventTest {

    private static List<JsonSubTypes.Type> subTypes() {
        return List.of(RunEvent.class.getAnnotation(JsonSubTypes.class).value());
    }

    @Test
    void everyEventHasATypeOfItsOwn() {
        assertThat(subTypes().stream().<Class<?>>map(JsonSubTypes.Type::value))
                .containsExactlyInAnyOrder(RunEvent.class.getPermittedSubclasses());
        assertThat(subTypes().stream().map(JsonSubTypes.Type::name)).doesNotHaveDuplicates();
    }
}
