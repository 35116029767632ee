package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.jspecify.annotations.Nullable;

/** When and with whom replicas agree. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Synchronization.Bsp.class, name = "bsp"),
    @JsonSubTypes.Type(value = Synchronization.LocalSgd.class, name = "local-sgd"),
    @JsonSubTypes.Type(value = Synchronization.DiLoCo.class, name = "diloco"),
    @JsonSubTypes.Type(value = Synchronization.Async.class, name = "async"),
    @JsonSubTypes.Type(value = Synchronization.StaleSynchronous.class, name = "stale-synchronous"),
    @JsonSubTypes.Type(value = Synchronization.AdPsgd.class, name = "ad-psgd")
})
public sealed interface Synchronization {

    /** Bulk-synchronous: every round ends with one sample-weighted mean of all gradients. */
    record Bsp() implements Synchronization {}

    /**
     * Every replica goes its own way and agrees with others every so many rounds (Stich 2018; Yu,
     * Yang and Zhu 2018).
     *
     * @param period rounds from one agreement to the next
     * @param momentum what becomes of what the optimizers remember
     */
    record LocalSgd(int period, Order order, Momentum momentum) implements Synchronization {

        public LocalSgd {
            Rules.atLeast("period", period, 1);
            Rules.present("order", order);
            Rules.present("momentum", momentum);
        }
    }

    /**
     * Every so many rounds the mean of how far the replicas have gone is a gradient for an outer
     * optimizer, stochastic gradient descent with Nesterov's momentum (Douillard and others 2023).
     *
     * @param period rounds from one outer step to the next
     */
    record DiLoCo(int period, double outerLearningRate, double outerMomentum)
            implements Synchronization {

        public DiLoCo {
            Rules.atLeast("period", period, 1);
            Rules.atLeast("outerLearningRate", outerLearningRate, Float.MIN_NORMAL);
            Rules.share("outerMomentum", outerMomentum);
        }
    }

    /**
     * No replica waits for another: over an all-reduce that goes on in the background (Moreno and
     * others 2020), or through a server that takes each gradient as it comes.
     *
     * @param maxStaleness over an all-reduce the mini-batches that a replica may have taken on the
     *     same weights when it begins another round; null at a server, which has no such bound
     * @param weighting over an all-reduce how much each replica counts
     * @param correction at a server what becomes of a gradient that comes late
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Async(
            @Nullable Integer maxStaleness, Weighting weighting, StalenessCorrection correction)
            implements Synchronization {

        public Async {
            if (maxStaleness != null) {
                Rules.atLeast("maxStaleness", maxStaleness, 1);
            }
            Rules.present("weighting", weighting);
            Rules.present("correction", correction);
        }
    }

    /**
     * As asynchronous at a server, but who is too far ahead of the slowest waits.
     *
     * @param bound rounds that one may be ahead
     * @param barrier whether at the bound all stop and go on from the same weights, instead of the
     *     fastest waiting alone (Ho and others 2013)
     */
    record StaleSynchronous(int bound, boolean barrier, StalenessCorrection correction)
            implements Synchronization {

        public StaleSynchronous {
            Rules.atLeast("bound", bound, 1);
            Rules.present("correction", correction);
        }
    }

    /** Each meets a neighbour drawn at random while it computes (Lian and others 2018). */
    record AdPsgd() implements Synchronization {}

    /** What comes first in a round that ends with an agreement. */
    enum Order {
        /** The step, so that all leave the round with the same weights. */
        @JsonProperty("step-then-average")
        STEP_THEN_AVERAGE,
        /** The agreement, on weights that are known before the gradient is (Tolstobrov). */
        @JsonProperty("average-then-step")
        AVERAGE_THEN_STEP
    }

    /** What becomes of what the optimizers remember when the replicas agree. */
    enum Momentum {
        /** Each keeps its own. */
        @JsonProperty("local")
        LOCAL,
        /** It is averaged as the weights are. */
        @JsonProperty("average")
        AVERAGE,
        /** It is forgotten. */
        @JsonProperty("reset")
        RESET
    }

    /** How much a replica's gradient counts. */
    enum Weighting {
        /** By the samples behind it. */
        @JsonProperty("weighted")
        WEIGHTED,
        /** As much as any other, whatever is behind it. */
        @JsonProperty("unweighted")
        UNWEIGHTED
    }
}
