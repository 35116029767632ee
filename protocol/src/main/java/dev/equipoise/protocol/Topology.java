package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** Topology of the exchanges between replicas. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Topology.AllReduce.class, name = "all-reduce"),
    @JsonSubTypes.Type(value = Topology.ParameterServer.class, name = "parameter-server"),
    @JsonSubTypes.Type(value = Topology.Gossip.class, name = "gossip")
})
public sealed interface Topology {

    /** Returns whether the topology needs the measured costs of the links between the workers. */
    @JsonIgnore
    default boolean followsLinks() {
        return this instanceof AllReduce(var _, var order) && order == RingOrder.BY_LINK;
    }

    /** Returns the number of parameter servers, which train nothing. */
    default int servers() {
        return this instanceof ParameterServer server ? server.servers() : 0;
    }

    /**
     * All-reduce over all ranks.
     *
     * @param algorithm algorithm of the all-reduce
     * @param order order in which a ring passes through the ranks
     */
    record AllReduce(Algorithm algorithm, RingOrder order) implements Topology {

        public AllReduce {
            Rules.present("algorithm", algorithm);
            Rules.present("order", order);
        }

        /** Creates an all-reduce in rank order. */
        public static AllReduce by(Algorithm algorithm) {
            return new AllReduce(algorithm, RingOrder.BY_RANK);
        }
    }

    /**
     * Parameter servers, each with a part of the vector; the other ranks train.
     *
     * @param servers number of servers
     * @param perLayer whether each layer travels alone, instead of each server's part as a whole
     * @param aggregate combination of the gradients of one round
     */
    record ParameterServer(int servers, boolean perLayer, Aggregate aggregate) implements Topology {

        public ParameterServer {
            Rules.atLeast("servers", servers, 1);
            Rules.present("aggregate", aggregate);
        }
    }

    /**
     * Gossip: each rank exchanges with its partners only.
     *
     * @param schedule rule that chooses the partners of a round
     * @param payload vector that partners exchange
     * @param mixing weights of the mean of partners
     * @param globalAverageEvery every n-th exchange is a mean over all ranks (Gossip-PGA, Chen et
     *     al. 2021, arXiv 2105.09080); 0 for never
     */
    record Gossip(Partners schedule, Payload payload, Mixing mixing, int globalAverageEvery)
            implements Topology {

        public Gossip {
            Rules.present("schedule", schedule);
            Rules.present("payload", payload);
            Rules.present("mixing", mixing);
            Rules.atLeast("globalAverageEvery", globalAverageEvery, 0);
        }
    }

    /** Partner schedule (docs/algorithms.md, section 2.1). */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Partners.Linear.class, name = "linear"),
        @JsonSubTypes.Type(value = Partners.Dissemination.class, name = "dissemination"),
        @JsonSubTypes.Type(value = Partners.Fixed.class, name = "fixed"),
        @JsonSubTypes.Type(value = Partners.RandomMatching.class, name = "random-matching")
    })
    sealed interface Partners {

        /**
         * Both ranks at distance 1, then 2, ... up to half the ranks, then 1 again (Tolstobrov,
         * algorithm 2).
         *
         * @param literalPairing whether a rank that is both partners counts twice, as the text has
         *     it
         */
        record Linear(boolean literalPairing) implements Partners {}

        /** Dissemination: both ranks at distance 1, 2, 4, ..., then 1 again (Daily et al. 2018). */
        record Dissemination() implements Partners {}

        /**
         * Both ranks at one fixed distance.
         *
         * @param distance distance between the ranks of partners
         */
        record Fixed(int distance) implements Partners {

            public Fixed {
                Rules.atLeast("distance", distance, 1);
            }
        }

        /** One rank, drawn anew for each exchange. */
        record RandomMatching() implements Partners {}
    }

    /** Vector that a rank sends to its partners. */
    enum Payload {
        /** The gradient of this round; gradients of rounds without an exchange stay local. */
        @JsonProperty("gradient")
        GRADIENT,
        /** The sum of the updates since the last exchange. */
        @JsonProperty("update")
        UPDATE,
        /** The weights. */
        @JsonProperty("weights")
        WEIGHTS
    }

    /** Weights of the mixing matrix (docs/algorithms.md, section 2). */
    enum Mixing {
        /** Equal weights for each partner and the rank itself. */
        @JsonProperty("uniform")
        UNIFORM,
        /** Metropolis weights, whose limit weighs replicas by their samples. */
        @JsonProperty("metropolis")
        METROPOLIS,
        /** Push-sum: one direction, half the bytes (Assran et al. 2019). */
        @JsonProperty("push-sum")
        PUSH_SUM
    }

    /** Combination of the gradients of one round. */
    enum Aggregate {
        @JsonProperty("mean")
        MEAN,
        @JsonProperty("sum")
        SUM
    }

    /** Order of the ranks in a ring. */
    enum RingOrder {
        /** By rank number. */
        @JsonProperty("by-rank")
        BY_RANK,
        /** Bottleneck ring order: the slowest link of the ring is as fast as possible. */
        @JsonProperty("by-link")
        BY_LINK
    }

    /** All-reduce algorithm (docs/algorithms.md, section 3). */
    enum Algorithm {
        /** Each rank receives from one neighbor and sends to the other: the fewest bytes. */
        @JsonProperty("ring")
        RING,
        /** Up a binomial tree and down again. */
        @JsonProperty("tree")
        TREE,
        /** Whole vectors between partners at distance 1, 2, 4, ...: the fewest steps. */
        @JsonProperty("recursive-doubling")
        RECURSIVE_DOUBLING,
        /** Halves of halves between such partners: few steps and few bytes. */
        @JsonProperty("halving-doubling")
        HALVING_DOUBLING,
        /** Within each host first, then across hosts, which must have equally many ranks. */
        @JsonProperty("hierarchical")
        HIERARCHICAL,
        /** All ranks send to rank 0 and receive from it. */
        @JsonProperty("flat")
        FLAT,
        /** Algorithm selection: the cheapest of these by measured costs. */
        @JsonProperty("auto")
        AUTO
    }
}
