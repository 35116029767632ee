package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.UUID;

/** Identifies a registered agent. */
public record WorkerId(@JsonValue UUID value) {

    public WorkerId {
        Rules.present("the id of a worker", value);
    }

    @JsonCreator
    public static WorkerId of(UUID value) {
        return new WorkerId(value);
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
