package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What moves the bytes between two ranks. */
public enum ChannelKind {
    /** Sockets of our own; the peers' addresses are found through Hazelcast. */
    @JsonProperty("direct")
    DIRECT,
    /** Hazelcast itself, in slices: slower, as a baseline to compare with. */
    @JsonProperty("hazelcast")
    HAZELCAST
}
