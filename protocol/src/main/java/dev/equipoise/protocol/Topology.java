package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** Over which links replicas exchange. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes(@JsonSubTypes.Type(value = Topology.AllReduce.class, name = "all-reduce"))
public sealed interface Topology {

    /** Whether what the links between the workers cost must be known. */
    @JsonIgnore
    default boolean followsLinks() {
        return this instanceof AllReduce(var _, var order) && order == Order.BY_LINK;
    }

    /**
     * A sum over all ranks, left on all ranks.
     *
     * @param order in which a ring goes through the ranks
     */
    record AllReduce(Algorithm algorithm, Order order) implements Topology {

        /** From rank to rank. */
        public static AllReduce by(Algorithm algorithm) {
            return new AllReduce(algorithm, Order.BY_RANK);
        }
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
