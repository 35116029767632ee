package dev.equipoise.benchmarks.exchange;

/** Channel between ranks of this machine. */
enum ExchangeVariant {
    /** Sockets, as between hosts. */
    DIRECT("direct"),
    /** Shared memory, the default of agents between ranks of one host. */
    SHARED_MEMORY("shared-memory"),
    HAZELCAST("hazelcast");

    private final String label;

    ExchangeVariant(String label) {
        this.label = label;
    }

    @Override
    public String toString() {
        return label;
    }
}
