package dev.equipoise.agent.link;

/** Tries all rings, but for those that begin worse than the best so far. */
final class ExactRing {

    /** Of these there are 362,880 rings, which take some tens of milliseconds. */
    static final int MOST_RANKS = 10;

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

    /** The first of the best in the order of a dictionary. */
    static int[] order(RingLinks links) {
        var search = new ExactRing(links);
        search.extend(1, RingCost.NONE);
        return search.best;
    }

    /** Costs only grow, so that a part that is not below the best cannot become so. */
    private void extend(int place, RingCost soFar) {
        if (!soFar.isBelow(least)) {
            return;
        }
        if (place == order.length) {
            close(soFar);
            return;
        }
        for (int rank = 1; rank < order.length; rank++) {
            if (!taken[rank]) {
                taken[rank] = true;
                order[place] = rank;
                extend(place + 1, soFar.plus(links.seconds(order[place - 1], rank)));
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
