package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.jspecify.annotations.Nullable;

/** Synchronization of replicas: when they exchange, and with which update rule. */
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

    /**
     * BSP: every round ends with one sample-weighted mean of all gradients (Valiant 1990). The
     * gradient travels as a whole, or in buckets of whole layers from the last layer to the first
     * (Li et al. 2020, PyTorch DDP, section 3.2). The three values are all null without buckets.
     *
     * @param overlap whether each bucket is exchanged as soon as the backward pass has computed it,
     *     while earlier layers are still computed
     * @param bucketMegabytes a bucket is complete once it has at least so many megabytes, of 10^6
     *     bytes
     * @param firstBucketMegabytes size of the bucket that is exchanged first, in 10^6 bytes
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Bsp(
            @Nullable Boolean overlap,
            @Nullable Double bucketMegabytes,
            @Nullable Double firstBucketMegabytes)
            implements Synchronization {

        /** Size of a bucket in PyTorch DDP, in megabytes. */
        public static final double DEFAULT_BUCKET_MEGABYTES = 25;

        /** Size of the first bucket in PyTorch DDP, in megabytes. */
        public static final double DEFAULT_FIRST_BUCKET_MEGABYTES = 1;

        @JsonCreator
        public Bsp {
            if (overlap != null || bucketMegabytes != null || firstBucketMegabytes != null) {
                Rules.present("overlap", overlap);
                Rules.positive("bucketMegabytes", bucketMegabytes);
                Rules.positive("firstBucketMegabytes", firstBucketMegabytes);
            }
        }

        /** Creates BSP that exchanges the gradient as a whole after the backward pass. */
        public Bsp() {
            this(null, null, null);
        }

        /** Returns whether the gradient travels in buckets. */
        @JsonIgnore
        public boolean hasBuckets() {
            return bucketMegabytes != null;
        }

        /** Returns whether buckets are exchanged during the backward pass. */
        @JsonIgnore
        public boolean isOverlapped() {
            return Boolean.TRUE.equals(overlap);
        }
    }

    /**
     * Local SGD: replicas step alone and average their weights every {@code period} rounds (Stich
     * 2018; Yu, Yang and Zhu 2018).
     *
     * @param period rounds between two synchronizations
     * @param order order of step and average in a round with a synchronization
     * @param momentum effect of a synchronization on the optimizers' state
     */
    record LocalSgd(int period, Order order, Momentum momentum) implements Synchronization {

        public LocalSgd {
            Rules.atLeast("period", period, 1);
            Rules.present("order", order);
            Rules.present("momentum", momentum);
        }
    }

    /**
     * DiLoCo: every {@code period} rounds, averages the pseudogradients and applies an outer
     * optimizer, SGD with Nesterov momentum (Douillard et al. 2023, algorithm 1).
     *
     * @param period rounds between two outer steps
     * @param outerLearningRate step size of the outer optimizer
     * @param outerMomentum momentum of the outer optimizer
     */
    record DiLoCo(int period, double outerLearningRate, double outerMomentum)
            implements Synchronization {

        public DiLoCo {
            Rules.atLeast("period", period, 1);
            Rules.atLeast("outerLearningRate", outerLearningRate, Float.MIN_NORMAL);
            Rules.fraction("outerMomentum", outerMomentum);
        }
    }

    /**
     * Asynchronous SGD: over an overlapped all-reduce (Moreno-Álvarez et al. 2020), or through
     * servers that apply each gradient on arrival.
     *
     * @param maxStaleness most mini-batches that a replica may have taken on the same weights when
     *     it begins another round, over an all-reduce with one sum in flight; null for queued sums
     *     and at a server, which have no such bound
     * @param weighting weight of each replica over an all-reduce
     * @param correction staleness correction at a server
     * @param inFlight most sums of a replica that are under way with queued sums, at least 1; null
     *     for one sum in flight and at a server
     * @param own time at which a replica applies its own gradient, with queued sums; null with its
     *     sum
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Async(
            @Nullable Integer maxStaleness,
            Weighting weighting,
            StalenessCorrection correction,
            @Nullable Integer inFlight,
            @Nullable OwnStep own)
            implements Synchronization {

        public Async {
            if (maxStaleness != null) {
                Rules.atLeast("maxStaleness", maxStaleness, 1);
            }
            if (inFlight != null) {
                Rules.atLeast("inFlight", inFlight, 1);
            }
            Rules.present("weighting", weighting);
            Rules.present("correction", correction);
        }

        /** Creates the method with at most one sum in flight, or at a server. */
        public Async(
                @Nullable Integer maxStaleness,
                Weighting weighting,
                StalenessCorrection correction) {
            this(maxStaleness, weighting, correction, null, null);
        }

        /**
         * Returns whether each round has a sum of its own, of which several may be in flight. Else
         * one sum is in flight, and the next one takes all gradients that were computed meanwhile.
         */
        @JsonIgnore
        public boolean isQueued() {
            return own == OwnStep.AT_ONCE || (inFlight != null && inFlight > 1);
        }

        /** Returns whether a replica applies its own gradients before those of the others. */
        @JsonIgnore
        public boolean isOwnAtOnce() {
            return own == OwnStep.AT_ONCE;
        }
    }

    /**
     * Stale-synchronous parallel (SSP): asynchronous at a server, but a replica too far ahead of
     * the slowest waits (Ho et al. 2013).
     *
     * @param bound rounds by which a replica may be ahead
     * @param barrier whether all replicas stop at the bound and continue from the same weights,
     *     instead of the fastest waiting alone (Tolstobrov)
     * @param correction correction of stale gradients
     */
    record StaleSynchronous(int bound, boolean barrier, StalenessCorrection correction)
            implements Synchronization {

        public StaleSynchronous {
            Rules.atLeast("bound", bound, 1);
            Rules.present("correction", correction);
        }
    }

    /**
     * AD-PSGD: each replica averages with a random neighbor while it computes (Lian et al. 2018).
     */
    record AdPsgd() implements Synchronization {}

    /** Order of step and average in a round with a synchronization. */
    enum Order {
        /** The step comes first, so that all end the round with the same weights. */
        @JsonProperty("step-then-average")
        STEP_THEN_AVERAGE,
        /**
         * The average comes first, over weights that are known before the gradient is (Tolstobrov).
         */
        @JsonProperty("average-then-step")
        AVERAGE_THEN_STEP
    }

    /** Effect of a synchronization on the optimizers' state. */
    enum Momentum {
        /** Each replica keeps its state. */
        @JsonProperty("local")
        LOCAL,
        /** The state is averaged like the weights. */
        @JsonProperty("average")
        AVERAGE,
        /** The state is reset. */
        @JsonProperty("reset")
        RESET
    }

    /** Weight of a replica's gradient. */
    enum Weighting {
        /** Proportional to its samples. */
        @JsonProperty("weighted")
        WEIGHTED,
        /** Equal for each replica. */
        @JsonProperty("unweighted")
        UNWEIGHTED
    }

    /** Time at which a replica applies its own gradient under an asynchronous all-reduce. */
    enum OwnStep {
        /** With the sum, like the gradients of the others: all replicas pass the same weights. */
        @JsonProperty("with-sum")
        WITH_SUM,
        /** At once; the sum then brings the others' part, so that replicas come apart. */
        @JsonProperty("at-once")
        AT_ONCE
    }
}
