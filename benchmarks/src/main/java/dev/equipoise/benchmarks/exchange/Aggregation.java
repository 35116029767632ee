package dev.equipoise.benchmarks.exchange;

/** Aggregation of the gradients of all ranks. */
enum Aggregation {
    /** Ring all-reduce over all ranks. */
    RING("ring"),
    /**
     * Parameter server: rank 0 holds the weights and computes nothing; the others push and pull.
     */
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
