package dev.equipoise.performance.cost;

import dev.equipoise.protocol.Topology.Algorithm;
import java.util.List;

/**
 * Cost model of all-reduces of m bytes over P ranks on uniform links (Thakur, Rabenseifner and
 * Gropp 2005, table 1; docs/algorithms.md, section 3).
 *
 * @param alpha latency of a message, in seconds
 * @param beta seconds per byte on a link
 * @param gamma seconds to add a byte
 */
public record CostModel(double alpha, double beta, double gamma) {

    /**
     * Candidates of algorithm selection. The hierarchical algorithm is excluded, because it pays
     * off only on unequal links and this model has uniform ones.
     */
    public static final List<Algorithm> CHOICES =
            List.of(
                    Algorithm.RING,
                    Algorithm.TREE,
                    Algorithm.FLAT,
                    Algorithm.RECURSIVE_DOUBLING,
                    Algorithm.HALVING_DOUBLING);

    public CostModel {
        requireCost("alpha", alpha);
        requireCost("beta", beta);
        requireCost("gamma", gamma);
    }

    private static void requireCost(String name, double seconds) {
        if (!(seconds >= 0) || Double.isInfinite(seconds)) {
            throw new IllegalArgumentException(
                    "%s must be finite and not negative, but was %s".formatted(name, seconds));
        }
    }

    /** Returns the seconds until all ranks have the sum. */
    public double seconds(Algorithm algorithm, int ranks, long bytes) {
        if (ranks == 1) {
            return 0;
        }
        return switch (algorithm) {
            case FLAT -> 2 * (ranks - 1) * message(bytes) + (ranks - 1) * gamma * bytes;
            case TREE -> treeDepth(ranks) * (2 * message(bytes) + gamma * bytes);
            // On uniform links, hierarchical counts as a ring over all ranks.
            case RING, HIERARCHICAL ->
                    2 * (ranks - 1) * alpha + share(ranks) * bytes * (2 * beta + gamma);
            case RECURSIVE_DOUBLING ->
                    folding(ranks, bytes) + doublings(ranks) * (message(bytes) + gamma * bytes);
            case HALVING_DOUBLING ->
                    folding(ranks, bytes)
                            + 2 * doublings(ranks) * alpha
                            + share(core(ranks)) * bytes * (2 * beta + gamma);
            case AUTO -> seconds(best(ranks, bytes), ranks, bytes);
        };
    }

    /** Returns the bytes that all ranks send together. */
    public double bytes(Algorithm algorithm, int ranks, long bytes) {
        return switch (algorithm) {
            case FLAT, TREE, RING, HIERARCHICAL -> 2.0 * (ranks - 1) * bytes;
            case RECURSIVE_DOUBLING ->
                    (double) core(ranks) * doublings(ranks) * bytes + 2.0 * extra(ranks) * bytes;
            case HALVING_DOUBLING -> 2.0 * (core(ranks) - 1) * bytes + 2.0 * extra(ranks) * bytes;
            case AUTO -> bytes(best(ranks, bytes), ranks, bytes);
        };
    }

    /** Returns the cheapest algorithm of {@link #CHOICES}. */
    public Algorithm best(int ranks, long bytes) {
        Algorithm best = Algorithm.RING;
        for (Algorithm algorithm : CHOICES) {
            if (seconds(algorithm, ranks, bytes) < seconds(best, ranks, bytes)) {
                best = algorithm;
            }
        }
        return best;
    }

    private double message(long bytes) {
        return alpha + beta * bytes;
    }

    private static double share(int ranks) {
        return (ranks - 1) / (double) ranks;
    }

    private static int core(int ranks) {
        return Integer.highestOneBit(ranks);
    }

    /**
     * Returns the number of ranks beyond the power of two, each of which folds its vector into
     * another rank's.
     */
    private static int extra(int ranks) {
        return ranks - core(ranks);
    }

    private static int doublings(int ranks) {
        return Integer.numberOfTrailingZeros(core(ranks));
    }

    private static int treeDepth(int ranks) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(ranks - 1);
    }

    /** Returns the seconds that ranks beyond the power of two add. */
    private double folding(int ranks, long bytes) {
        return ranks == core(ranks) ? 0 : 2 * message(bytes) + gamma * bytes;
    }
}
