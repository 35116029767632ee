package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.UUID;

/** Identifies one worker's part in a run, a profile or a link measurement. */
public record AssignmentId(@JsonValue UUID value) {

    public AssignmentId {
        Rules.present("the id of an assignment", value);
    }

    @JsonCreator
    public static AssignmentId of(UUID value) {
        return new AssignmentId(value);
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
