package dev.equipoise.benchmarks.exchange;

import dev.equipoise.benchmarks.Medians;
import java.util.List;

/**
 * Time of a round that aggregates the gradients of all ranks.
 *
 * @param network whose gradient is aggregated
 * @param aggregation ring or server
 * @param perLayer layer by layer instead of as a whole
 * @param messages number of parts that travel one after another
 * @param ranks including the server, if there is one
 * @param seconds median of a round
 */
record AggregateFigure(
        String network,
        String aggregation,
        boolean perLayer,
        int messages,
        int ranks,
        long bytes,
        double seconds) {

    /** Returns the median of repeated measurements. */
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
