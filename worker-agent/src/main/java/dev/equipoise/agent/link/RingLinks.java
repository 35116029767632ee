package dev.equipoise.agent.link;

/** Table of the seconds of one message on every link, for fast search. */
final class RingLinks {

    private final double[][] seconds;

    RingLinks(LinkMatrix matrix, long bytes) {
        this.seconds = new double[matrix.ranks()][matrix.ranks()];
        matrix.costs()
                .forEach((pair, cost) -> {
                    seconds[pair.low()][pair.high()] = cost.seconds(bytes);
                    seconds[pair.high()][pair.low()] = cost.seconds(bytes);
                });
    }

    int size() {
        return seconds.length;
    }

    double seconds(int rank, int peer) {
        return seconds[rank][peer];
    }

    RingCost cost(int[] order) {
        RingCost cost = RingCost.NONE;
        for (int index = 1; index < order.length; index++) {
            cost = cost.plus(seconds(order[index - 1], order[index]));
        }
        return cost.plus(seconds(order[order.length - 1], order[0]));
    }
}
