package dev.equipoise.agent.link;

/** Two ranks and the link between them, which costs the same in both directions. */
public record RankPair(int low, int high) {

    public RankPair {
        if (low < 0 || low >= high) {
            throw new IllegalArgumentException(
                    "a pair is of two ranks, the lower first, but was %d and %d"
                            .formatted(low, high));
        }
    }

    /** In any order. */
    static RankPair of(int one, int other) {
        return new RankPair(Math.min(one, other), Math.max(one, other));
    }

    boolean has(int rank) {
        return rank == low || rank == high;
    }
}
