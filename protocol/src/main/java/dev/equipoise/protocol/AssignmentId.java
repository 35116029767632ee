package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.UUID;

/** Names one worker's part in a run or a profile. */
public record AssignmentId(@JsonValue UUID value) {

    public AssignmentId {
        Rules.present("the id of a assignment", value);
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
