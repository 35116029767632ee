package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.UUID;

/** Identifies one execution of one run configuration. */
public record RunId(@JsonValue UUID value) {

    public RunId {
        Rules.present("the id of a run", value);
    }

    @JsonCreator
    public static RunId of(UUID value) {
        return new RunId(value);
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
