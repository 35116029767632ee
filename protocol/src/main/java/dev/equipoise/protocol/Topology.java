package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** Over which links replicas exchange. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes(@JsonSubTypes.Type(value = Topology.AllReduce.class, name = "all-reduce"))
public sealed interface Topology {

    /** A sum over all ranks, left on all ranks. */
    record AllReduce(Algorithm algorithm) implements Topology {}

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
