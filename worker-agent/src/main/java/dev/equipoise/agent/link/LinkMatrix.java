package dev.equipoise.agent.link;

import dev.equipoise.protocol.MeasuredLink;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Costs of the links between all ranks.
 *
 * @param ranks P, at least 1
 * @param costs one for each of the P (P - 1) / 2 pairs
 */
public record LinkMatrix(int ranks, Map<RankPair, LinkCost> costs) {

    public LinkMatrix {
        costs = Map.copyOf(costs);
        if (ranks < 1) {
            throw new IllegalArgumentException("ranks must be at least 1, but were " + ranks);
        }
        // Pairs are distinct, so that the right number of pairs below P is all pairs.
        int pairs = ranks * (ranks - 1) / 2;
        if (costs.size() != pairs || !areBelow(ranks, costs)) {
            throw new IllegalArgumentException(
                    "%d ranks need the costs of %d pairs, but there were %s"
                            .formatted(ranks, pairs, costs.keySet()));
        }
    }

    private static boolean areBelow(int ranks, Map<RankPair, LinkCost> costs) {
        return costs.keySet().stream().allMatch(pair -> pair.high() < ranks);
    }

    /** Converts links from the service. */
    public static LinkMatrix of(int ranks, List<MeasuredLink> links) {
        Map<RankPair, LinkCost> costs = new HashMap<>();
        for (MeasuredLink link : links) {
            costs.put(
                    new RankPair(link.low(), link.high()),
                    new LinkCost(
                            link.alphaSeconds(), link.betaSecondsPerByte(), link.relativeError()));
        }
        return new LinkMatrix(ranks, costs);
    }

    /** Converts the costs for the service, in the order of the ranks. */
    List<MeasuredLink> links() {
        return costs.entrySet().stream()
                .map(it -> link(it.getKey(), it.getValue()))
                .sorted(
                        Comparator.comparingInt(MeasuredLink::low)
                                .thenComparingInt(MeasuredLink::high))
                .toList();
    }

    private static MeasuredLink link(RankPair pair, LinkCost cost) {
        return new MeasuredLink(
                pair.low(), pair.high(), cost.alpha(), cost.beta(), cost.relativeError());
    }

    /** Returns the cost of the link between two different ranks. */
    public LinkCost cost(int rank, int peer) {
        LinkCost cost = costs.get(RankPair.of(rank, peer));
        if (cost == null) {
            throw new IllegalArgumentException(
                    "ranks must be below %d, but were %d and %d".formatted(ranks, rank, peer));
        }
        return cost;
    }

    /**
     * Returns the bottleneck ring order: a ring of all ranks, from rank 0, whose slowest link is as
     * fast as possible, and of such orders the one with the least sum of all links
     * (docs/algorithms.md, section 3.2). It is optimal up to ten ranks; above, it is never worse
     * than the ascending order. Equal matrices give equal orders.
     *
     * @param bytes size of the messages around the ring: m / P for an all-reduce of m bytes
     */
    public List<Integer> ringOrder(long bytes) {
        var links = new RingLinks(this, bytes);
        int[] order =
                ranks <= ExactRing.MAX_RANKS ? ExactRing.order(links) : ImprovedRing.order(links);
        return IntStream.of(order).boxed().toList();
    }
}
