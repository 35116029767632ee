package dev.equipoise.agent.dataset;

/** Range of indices in an epoch's permutation. */
public record Slice(int from, int count) {

    public Slice {
        if (from < 0 || count < 0) {
            throw new IllegalArgumentException(
                    "slice must not be negative, but was %d from %d".formatted(count, from));
        }
    }
}
