package dev.equipoise.benchmarks.exchange;

import dev.equipoise.benchmarks.Medians;
import java.util.List;

/**
 * How long a round takes in which the gradients of all ranks become one.
 *
 * @param network whose gradient it is
 * @param aggregation ring or server
 * @param perLayer layer after layer, instead of all at once
 * @param messages the parts that travel one after the other
 * @param ranks the server among them, where there is one
 * @param seconds of a round, the median
 */
record AggregateFigure(
        String network,
        String aggregation,
        boolean perLayer,
        int messages,
        int ranks,
        long bytes,
        double seconds) {

    /** Of the same measurement, repeated. */
    static AggregateFigure median(List<AggregateFigure> repeated) {
        AggregateFigure any = repeated.getFirst();
        return new AggregateFigure(
                any.network,
                any.aggregation,
                any.perLayer,
                any.messages,
                any.ranks,
                any.bytes,
                Medians.of(repeated.stream().map(AggregateFigure::seconds).toList()));
    }
}
