package dev.equipoise.benchmarks.exchange;

/** How ranks of this machine exchange. */
enum Way {
    /** Sockets, as between machines. */
    DIRECT("direct"),
    /** What an agent takes by itself between ranks of one machine. */
    SHARED_MEMORY("shared-memory"),
    /** Hazelcast. */
    HAZELCAST("hazelcast");

    private final String label;

    Way(String label) {
        this.label = label;
    }

    @Override
    public String toString() {
        return label;
    }
}
