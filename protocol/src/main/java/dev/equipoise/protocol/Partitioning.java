package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How the samples of an epoch are cut into shares. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Partitioning.Equal.class, name = "equal"),
    @JsonSubTypes.Type(value = Partitioning.Constant.class, name = "constant"),
    @JsonSubTypes.Type(value = Partitioning.Functional.class, name = "functional"),
    @JsonSubTypes.Type(value = Partitioning.Dynamic.class, name = "dynamic"),
    @JsonSubTypes.Type(value = Partitioning.BatchCounts.class, name = "batch-counts"),
    @JsonSubTypes.Type(value = Partitioning.Hybrid.class, name = "hybrid")
})
public sealed interface Partitioning {

    /** The same share for everyone. */
    record Equal() implements Partitioning {}

    /**
     * Shares in proportion to speeds that are told.
     *
     * @param speeds one a replica, in any unit
     */
    record Constant(List<Double> speeds) implements Partitioning {

        public Constant {
            Rules.notEmpty("speeds", speeds);
            speeds = List.copyOf(speeds);
            speeds.forEach(speed -> Rules.atLeast("speed", speed, Double.MIN_NORMAL));
        }
    }

    /** Shares that take all workers the same time, by their measured speed functions. */
    record Functional(Model model, Solver solver, Rounding rounding, Extent points)
            implements Partitioning {}

    /**
     * Equal shares to begin with, and after every epoch others, by what each replica has computed
     * in it.
     *
     * @param hysteresis the part by which the longest computing must become shorter, or shares stay
     */
    record Dynamic(double hysteresis) implements Partitioning {

        public Dynamic {
            Rules.share("hysteresis", hysteresis);
        }
    }

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

    /**
     * Groups of replicas share the samples, and the members of a group the hidden units of a
     * perceptron (Ozawa, Sugaya and Aso).
     *
     * @param nodeParallel members of a group; null for as many as are predicted to be fastest
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Hybrid(@Nullable Integer nodeParallel, HybridSolver shares) implements Partitioning {

        public Hybrid {
            if (nodeParallel != null) {
                Rules.atLeast("nodeParallel", nodeParallel, 1);
            }
            Rules.present("shares", shares);
        }
    }

    /** How groups share samples, and their members hidden units. */
    enum HybridSolver {
        /** The shortest time there is. */
        @JsonProperty("linear-program")
        LINEAR_PROGRAM,
        /** All positions done at once, as if one group were the last at each of them. */
        @JsonProperty("closed-form")
        CLOSED_FORM,
        /** As many for each. */
        @JsonProperty("equal")
        EQUAL
    }

    /** What goes through the measured points. */
    enum Model {
        /** One speed for all sizes: that at equal shares. */
        @JsonProperty("constant")
        CONSTANT,
        /** Lines from point to point. */
        @JsonProperty("piecewise")
        PIECEWISE,
        /** A smooth curve, where there are five points or more. */
        @JsonProperty("akima")
        AKIMA
    }

    /** How the equal times are found. */
    enum Solver {
        /** By bisecting the time. */
        @JsonProperty("geometric")
        GEOMETRIC,
        /** By Newton's method. */
        @JsonProperty("numerical")
        NUMERICAL
    }

    /** How much of the speed functions is measured. */
    enum Extent {
        /** The whole range, once for all runs. */
        @JsonProperty("full")
        FULL,
        /** Only what is needed near the shares, again and again until their times are the same. */
        @JsonProperty("partial")
        PARTIAL
    }

    /** How real shares become whole ones. */
    enum Rounding {
        /** What is left over goes to the largest remainders. */
        @JsonProperty("largest-remainder")
        LARGEST_REMAINDER,
        /** What is left over goes, sample by sample, to whom it delays the round least. */
        @JsonProperty("minimax")
        MINIMAX
    }
}
