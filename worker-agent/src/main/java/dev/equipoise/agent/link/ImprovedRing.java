package dev.equipoise.agent.link;

/*
 * 2-opt (Croes, A method for solving traveling-salesman problems, 1958): two links of a ring are
 * replaced by the two that close it when the part between is walked the other way, as long as that
 * makes it better. It ends, as every step lowers the cost and rings are finite in number.
 */

import java.util.stream.IntStream;

/** Improves rings that are easily found: that of the nearest neighbours and that of the ranks. */
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
        var ofNeighbours = new ImprovedRing(links, nearestNeighbours(links));
        ofRanks.improve();
        ofNeighbours.improve();
        return ofNeighbours.cost.isBelow(ofRanks.cost) ? ofNeighbours.order : ofRanks.order;
    }

    /** Goes on to the nearest rank that was not visited, the lowest of equals. */
    private static int[] nearestNeighbours(RingLinks links) {
        int[] order = IntStream.range(0, links.size()).toArray();
        for (int place = 1; place < order.length; place++) {
            int nearest = place;
            for (int later = place + 1; later < order.length; later++) {
                if (isNearer(links, order[place - 1], order[later], order[nearest])) {
                    nearest = later;
                }
            }
            int rank = order[nearest];
            order[nearest] = order[place];
            order[place] = rank;
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
