package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;

/** How the samples of an epoch are cut into shares. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Partitioning.Equal.class, name = "equal"),
    @JsonSubTypes.Type(value = Partitioning.Functional.class, name = "functional"),
    @JsonSubTypes.Type(value = Partitioning.BatchCounts.class, name = "batch-counts")
})
public sealed interface Partitioning {

    /** The same share for everyone. */
    record Equal() implements Partitioning {}

    /** Shares that take all workers the same time, by their measured speed functions. */
    record Functional(Model model, Solver solver) implements Partitioning {}

    /**
     * Each replica takes a number of its own of equal mini-batches in a round, all on the same
     * weights (Moreno and others 2020).
     *
     * @param counts one a replica
     */
    record BatchCounts(List<Integer> counts) implements Partitioning {

        public BatchCounts {
            Rules.notEmpty("counts", counts);
            counts = List.copyOf(counts);
            counts.forEach(count -> Rules.atLeast("count", count, 1));
        }
    }

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
