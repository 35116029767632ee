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
        @JsonProperty("ring")
        RING
    }
}
