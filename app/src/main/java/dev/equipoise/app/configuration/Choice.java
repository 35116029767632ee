package dev.equipoise.app.configuration;

import com.fasterxml.jackson.annotation.JsonProperty;

/** A choice that a definition may leave to the service. */
public enum Choice {
    @JsonProperty("synchronization")
    SYNCHRONIZATION("synchronization"),
    @JsonProperty("topology")
    TOPOLOGY("topology"),
    @JsonProperty("workers.replicas")
    REPLICAS("workers.replicas"),
    @JsonProperty("partitioning")
    PARTITIONING("partitioning"),
    @JsonProperty("partitioning.counts")
    COUNTS("partitioning.counts");

    private final String path;

    Choice(String path) {
        this.path = path;
    }

    /** Returns the dotted path of the field in a definition. */
    public String path() {
        return path;
    }
}
