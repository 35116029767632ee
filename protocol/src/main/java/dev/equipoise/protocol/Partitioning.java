package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** How the samples of an epoch are cut into shares. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Partitioning.Equal.class, name = "equal"),
    @JsonSubTypes.Type(value = Partitioning.Functional.class, name = "functional")
})
public sealed interface Partitioning {

    /** The same share for everyone. */
    record Equal() implements Partitioning {}

    /** Shares that take all workers the same time, by their measured speed functions. */
    record Functional(Model model, Solver solver) implements Partitioning {}

    /** What goes through the measured points. */
    enum Model {
        @JsonProperty("piecewise")
        PIECEWISE
    }

    /** How the equal times are found. */
    enum Solver {
        @JsonProperty("geometric")
        GEOMETRIC
    }
}
