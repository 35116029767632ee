package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** Over which links replicas exchange. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Topology.AllReduce.class, name = "all-reduce"),
    @JsonSubTypes.Type(value = Topology.ParameterServer.class, name = "parameter-server"),
    @JsonSubTypes.Type(value = Topology.Gossip.class, name = "gossip")
})
public sealed interface Topology {

    /** Whether what the links between the workers cost must be known. */
    @JsonIgnore
    default boolean followsLinks() {
        return this instanceof AllReduce(var _, var order) && order == Order.BY_LINK;
    }

    /** Ranks that keep or sum up what the replicas bring, and train none themselves. */
    default int servers() {
        return this instanceof ParameterServer server ? server.servers() : 0;
    }

    /**
     * A sum over all ranks, left on all ranks.
     *
     * @param order in which a ring goes through the ranks
     */
    record AllReduce(Algorithm algorithm, Order order) implements Topology {

        public AllReduce {
            Rules.present("algorithm", algorithm);
            Rules.present("order", order);
        }

        /** From rank to rank. */
        public static AllReduce by(Algorithm algorithm) {
            return new AllReduce(algorithm, Order.BY_RANK);
        }
    }

    /**
     * Some ranks serve, each a part of the vector; the others train.
     *
     * @param perLayer whether each layer travels by itself, instead of each server's part as a
     *     whole
     * @param aggregate what becomes of the gradients of one round
     */
    record ParameterServer(int servers, boolean perLayer, Aggregate aggregate) implements Topology {

        public ParameterServer {
            Rules.atLeast("servers", servers, 1);
            Rules.present("aggregate", aggregate);
        }
    }

    /**
     * Each rank exchanges with its partners alone.
     *
     * @param globalAverageEvery exchanges from one mean over all ranks to the next, which keeps
     *     them together (Chen and others 2021, arXiv 2105.09080); 0 for never
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

    /** Who exchanges with whom. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Partners.Linear.class, name = "linear"),
        @JsonSubTypes.Type(value = Partners.Dissemination.class, name = "dissemination"),
        @JsonSubTypes.Type(value = Partners.Fixed.class, name = "fixed"),
        @JsonSubTypes.Type(value = Partners.RandomMatching.class, name = "random-matching")
    })
    sealed interface Partners {

        /**
         * Both ranks at distance 1, then 2, ... half the ranks, and again (Tolstobrov, algorithm
         * 2).
         *
         * @param literalPairing whether one that is both counts twice, as the text has it
         */
        record Linear(boolean literalPairing) implements Partners {}

        /** Both ranks at distance 1, 2, 4, ... and again (Daily and others 2018). */
        record Dissemination() implements Partners {}

        /** Both ranks at the same distance, always. */
        record Fixed(int distance) implements Partners {

            public Fixed {
                Rules.atLeast("distance", distance, 1);
            }
        }

        /** One rank, drawn anew each time. */
        record RandomMatching() implements Partners {}
    }

    /** What a rank tells its partners. */
    enum Payload {
        /** Its gradient of this round; those of rounds without exchange stay its own. */
        @JsonProperty("gradient")
        GRADIENT,
        /** How far it has gone since the last exchange. */
        @JsonProperty("update")
        UPDATE,
        /** Its weights. */
        @JsonProperty("weights")
        WEIGHTS
    }

    /** How much what a partner tells counts. */
    enum Mixing {
        /** As much as the rank's own. */
        @JsonProperty("uniform")
        UNIFORM,
        /** So that in the end each replica counts by its samples. */
        @JsonProperty("metropolis")
        METROPOLIS,
        /** One way, and half the bytes (Assran and others 2019). */
        @JsonProperty("push-sum")
        PUSH_SUM
    }

    /** What becomes of the gradients that replicas bring in one round. */
    enum Aggregate {
        @JsonProperty("mean")
        MEAN,
        @JsonProperty("sum")
        SUM
    }

    /** In which order ranks follow one another. */
    enum Order {
        /** From rank to rank. */
        @JsonProperty("by-rank")
        BY_RANK,
        /** So that the slowest link of the ring is as fast as can be. */
        @JsonProperty("by-link")
        BY_LINK
    }

    /** How an all-reduce moves its data. */
    enum Algorithm {
        /** Each rank hears from one and tells one: the fewest bytes. */
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
        /** In each machine first, then between machines, which must have as many ranks each. */
        @JsonProperty("hierarchical")
        HIERARCHICAL,
        /** All to rank 0 and back. */
        @JsonProperty("flat")
        FLAT,
        /** What the measured links make the fastest of these. */
        @JsonProperty("auto")
        AUTO
    }
}
