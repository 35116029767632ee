package dev.equipoise.agent.link;

/** Finds the bottleneck ring order by a branch-and-bound search over all rings. */
final class ExactRing {

    /** Limit of ranks: 10 ranks have 362,880 rings, which take some tens of milliseconds. */
    static final int MAX_RANKS = 10;

    private final RingLinks links;
    private final int[] order;
    private final boolean[] taken;
    private int[] best;
    private RingCost least = RingCost.WORST;

    private ExactRing(RingLinks links) {
        this.links = links;
        this.order = new int[links.size()];
        this.taken = new boolean[links.size()];
        this.best = order.clone();
    }

    /** Returns the best order, and of equal ones the first in lexicographic order. */
    static int[] order(RingLinks links) {
        var search = new ExactRing(links);
        search.extend(1, RingCost.NONE);
        return search.best;
    }

    /**
     * Prunes partial rings: costs only grow, so that one that is not below the best cannot become
     * so.
     */
    private void extend(int index, RingCost soFar) {
        if (!soFar.isBelow(least)) {
            return;
        }
        if (index == order.length) {
            close(soFar);
            return;
        }
        for (int rank = 1; rank < order.length; rank++) {
            if (!taken[rank]) {
                taken[rank] = true;
                order[index] = rank;
                extend(index + 1, soFar.plus(links.seconds(order[index - 1], rank)));
                taken[rank] = false;
            }
        }
    }

    private void close(RingCost open) {
        RingCost closed = open.plus(links.seconds(order[order.length - 1], order[0]));
        if (closed.isBelow(least)) {
            least = closed;
            best = order.clone();
        }
    }
}
