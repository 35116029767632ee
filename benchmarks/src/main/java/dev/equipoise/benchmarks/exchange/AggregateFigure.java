package dev.equipoise.benchmarks.exchange;

/**
 * How long a round takes in which the gradients of all ranks become one.
 *
 * @param network whose gradient it is
 * @param aggregation ring or server
 * @param perLayer layer after layer, instead of all at once
 * @param ranks the server among them, where there is one
 * @param seconds of a round, the median
 */
record AggregateFigure(
        String network,
        String aggregation,
        boolean perLayer,
        int ranks,
        long bytes,
        double seconds) {}
