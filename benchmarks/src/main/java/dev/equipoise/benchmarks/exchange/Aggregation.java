package dev.equipoise.benchmarks.exchange;

/** How the gradients of all ranks become one. */
enum Aggregation {
    /** A ring of all ranks. */
    RING("ring"),
    /** Rank 0 keeps the weights and computes nothing; the others push and pull. */
    SERVER("server");

    private final String label;

    Aggregation(String label) {
        this.label = label;
    }

    @Override
    public String toString() {
        return label;
    }
}
