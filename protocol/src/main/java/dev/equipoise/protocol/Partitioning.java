package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Data partitioning: divides the samples of an epoch into shares (docs/algorithms.md, section 7).
 */
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

    /** Equal shares. */
    record Equal() implements Partitioning {}

    /**
     * Shares in proportion to given speeds.
     *
     * @param speeds one per replica, in any unit
     */
    record Constant(List<Double> speeds) implements Partitioning {

        public Constant {
            Rules.notEmpty("speeds", speeds);
            speeds = List.copyOf(speeds);
            speeds.forEach(speed -> Rules.atLeast("speed", speed, Double.MIN_NORMAL));
        }
    }

    /**
     * Shares that take equal time on all workers, from measured speed functions.
     *
     * @param model kind of the speed function
     * @param solver algorithm that finds the shares
     * @param rounding rule by which shares become whole numbers
     * @param points range of the sizes that are measured
     * @param kernel the kernel of the speed functions; null for the training step, as in
     *     configurations from before this field
     */
    record Functional(
            Model model,
            Solver solver,
            ShareRounding rounding,
            Extent points,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable SpeedKernel kernel)
            implements Partitioning {

        public Functional {
            kernel = kernel == SpeedKernel.TRAINING_STEP ? null : kernel;
        }

        /** Creates shares by the speed functions of the training step. */
        public Functional(Model model, Solver solver, ShareRounding rounding, Extent points) {
            this(model, solver, rounding, points, null);
        }
    }

    /**
     * Dynamic load balancing: equal shares first, then after every epoch new shares from the
     * computing times of that epoch.
     *
     * @param hysteresis relative gain of the longest computing time below which shares stay as they
     *     are
     */
    record Dynamic(double hysteresis) implements Partitioning {

        public Dynamic {
            Rules.fraction("hysteresis", hysteresis);
        }
    }

    /**
     * Batch counts: each replica takes its own number of equal mini-batches in a round, all on the
     * same weights (Moreno-Álvarez et al. 2020).
     *
     * @param counts one per replica
     */
    record BatchCounts(List<Integer> counts) implements Partitioning {

        public BatchCounts {
            Rules.notEmpty("counts", counts);
            counts = List.copyOf(counts);
            counts.forEach(count -> Rules.atLeast("count", count, 1));
        }
    }

    /**
     * Hybrid parallelism: groups of replicas share the samples, and the members of a group share
     * the hidden units of a perceptron (Ozawa, Sugaya and Aso).
     *
     * @param nodeParallel members of a group; null for the number with the least predicted time
     * @param shares solver for the shares of groups and of their members
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

    /** Solver for the shares of groups and of their members. */
    enum HybridSolver {
        /** The optimum, by linear program. */
        @JsonProperty("linear-program")
        LINEAR_PROGRAM,
        /**
         * All positions finish at the same time, assuming that one group is last at each of them.
         */
        @JsonProperty("closed-form")
        CLOSED_FORM,
        /** Equal shares. */
        @JsonProperty("equal")
        EQUAL
    }

    /** Kernel of the speed functions from which shares are computed. */
    enum SpeedKernel {
        /** The training step of the network. */
        @JsonProperty("training-step")
        TRAINING_STEP,
        /** Matrix products, as in FuPerMod (Clarke et al. 2013). */
        @JsonProperty("gemm")
        GEMM
    }

    /** Performance model through the measured points. */
    enum Model {
        /** Constant performance model: the speed at equal shares. */
        @JsonProperty("constant")
        CONSTANT,
        /** Linear interpolation. */
        @JsonProperty("piecewise")
        PIECEWISE,
        /** Akima spline, from five points on. */
        @JsonProperty("akima")
        AKIMA
    }

    /** Solver for shares of equal time. */
    enum Solver {
        /** Bisection of the time. */
        @JsonProperty("geometric")
        GEOMETRIC,
        /** Newton's method. */
        @JsonProperty("numerical")
        NUMERICAL
    }

    /** Measured range of the speed functions. */
    enum Extent {
        /** The whole range, measured once for all runs. */
        @JsonProperty("full")
        FULL,
        /** Partial FPMs: only points near the shares, until the times at the shares are equal. */
        @JsonProperty("partial")
        PARTIAL
    }

    /** Rounding of real shares to whole samples. */
    enum ShareRounding {
        /** The rest goes to the largest remainders. */
        @JsonProperty("largest-remainder")
        LARGEST_REMAINDER,
        /** Each left-over sample goes to the rank whose time it lengthens least. */
        @JsonProperty("minimax")
        MINIMAX
    }
}
