package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Transport between two ranks. */
public enum ChannelKind {
    /** Direct sockets; Hazelcast distributes the peers' addresses. */
    @JsonProperty("direct")
    DIRECT,
    /** Hazelcast messages, in slices: slower, a baseline for comparisons. */
    @JsonProperty("hazelcast")
    HAZELCAST
}
