package dev.equipoise.agent.link;

/*
 * 2-opt (Croes, A method for solving traveling-salesman problems, 1958): reverses a part of a ring,
 * which replaces the two links at its ends, as long as that lowers the cost. The search ends, since
 * every step lowers the cost and the number of rings is finite.
 */

import java.util.stream.IntStream;

/** Improves two initial ring orders by 2-opt: nearest neighbor, and ascending ranks. */
final class ImprovedRing {

    private final RingLinks links;
    private final int[] order;
    private RingCost cost;

    private ImprovedRing(RingLinks links, int[] order) {
        this.links = links;
        this.order = order;
        this.cost = links.cost(order);
    }

    static int[] order(RingLinks links) {
        var ofRanks = new ImprovedRing(links, IntStream.range(0, links.size()).toArray());
        var ofNeighbors = new ImprovedRing(links, nearestNeighbors(links));
        ofRanks.improve();
        ofNeighbors.improve();
        return ofNeighbors.cost.isBelow(ofRanks.cost) ? ofNeighbors.order : ofRanks.order;
    }

    /**
     * Returns a greedy order: each rank is followed by its nearest unvisited one, the lowest of
     * equals.
     */
    private static int[] nearestNeighbors(RingLinks links) {
        int[] order = IntStream.range(0, links.size()).toArray();
        for (int index = 1; index < order.length; index++) {
            int nearest = index;
            for (int later = index + 1; later < order.length; later++) {
                if (isNearer(links, order[index - 1], order[later], order[nearest])) {
                    nearest = later;
                }
            }
            int rank = order[nearest];
            order[nearest] = order[index];
            order[index] = rank;
        }
        return order;
    }

    private static boolean isNearer(RingLinks links, int from, int rank, int other) {
        int comparison = Double.compare(links.seconds(from, rank), links.seconds(from, other));
        return comparison < 0 || (comparison == 0 && rank < other);
    }

    private void improve() {
        boolean better = true;
        while (better) {
            better = false;
            for (int first = 1; first < order.length; first++) {
                for (int last = first + 1; last < order.length; last++) {
                    better |= improve(first, last);
                }
            }
        }
    }

    private boolean improve(int first, int last) {
        reverse(first, last);
        RingCost reversed = links.cost(order);
        if (reversed.isBelow(cost)) {
            cost = reversed;
            return true;
        }
        reverse(first, last);
        return false;
    }

    private void reverse(int first, int last) {
        for (int i = first, j = last; i < j; i++, j--) {
            int rank = order[i];
            order[i] = order[j];
            order[j] = rank;
        }
    }
}
