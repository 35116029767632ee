package dev.equipoise.agent.link;

/** Pair of ranks, whose link costs the same in both directions. */
public record RankPair(int low, int high) {

    public RankPair {
        if (low < 0 || low >= high) {
            throw new IllegalArgumentException(
                    "a pair must be two ranks, the lower first, but was %d and %d"
                            .formatted(low, high));
        }
    }

    /** Makes a pair of two ranks in any order. */
    static RankPair of(int one, int other) {
        return new RankPair(Math.min(one, other), Math.max(one, other));
    }

    boolean has(int rank) {
        return rank == low || rank == high;
    }
}
