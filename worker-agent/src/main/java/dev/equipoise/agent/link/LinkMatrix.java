package dev.equipoise.agent.link;

import dev.equipoise.protocol.MeasuredLink;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * What the links between all ranks cost.
 *
 * @param ranks P, at least 1
 * @param costs of each of the P (P - 1) / 2 pairs
 */
public record LinkMatrix(int ranks, Map<RankPair, LinkCost> costs) {

    public LinkMatrix {
        costs = Map.copyOf(costs);
        if (ranks < 1) {
            throw new IllegalArgumentException("there must be a rank, but were " + ranks);
        }
        // Pairs are distinct, so that as many of them below P as there can be are all.
        int pairs = ranks * (ranks - 1) / 2;
        if (costs.size() != pairs || !areBelow(ranks, costs)) {
            throw new IllegalArgumentException(
                    "%d ranks have %d pairs, each with a cost, but there were %s"
                            .formatted(ranks, pairs, costs.keySet()));
        }
    }

    private static boolean areBelow(int ranks, Map<RankPair, LinkCost> costs) {
        return costs.keySet().stream().allMatch(pair -> pair.high() < ranks);
    }

    /** As the service hands it out. */
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

    /** As the service is told of it, in the order of the ranks. */
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

    /** Of the link between two different ranks. */
    public LinkCost cost(int rank, int peer) {
        LinkCost cost = costs.get(RankPair.of(rank, peer));
        if (cost == null) {
            throw new IllegalArgumentException(
                    "ranks must be below %d, but were %d and %d".formatted(ranks, rank, peer));
        }
        return cost;
    }

    /**
     * An order of all ranks, from rank 0, in which the slowest link of the ring is as fast as
     * possible, since that sets the pace of all (ALGORITHMS section 3.2), and among such orders the
     * sum of the links is least. Up to ten ranks it is the best there is, above a good one that is
     * never worse than the order of the ranks. Equal matrices have equal orders.
     *
     * @param bytes of the messages that go round: of an all-reduce of m bytes, m / P
     */
    public List<Integer> ringOrder(long bytes) {
        var links = new RingLinks(this, bytes);
        int[] order =
                ranks <= ExactRing.MOST_RANKS ? ExactRing.order(links) : ImprovedRing.order(links);
        return IntStream.of(order).boxed().toList();
    }
}
