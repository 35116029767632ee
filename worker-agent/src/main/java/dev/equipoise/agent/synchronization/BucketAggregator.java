package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Phase;
import dev.equipoise.agent.instrument.TrafficKind;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Aggregator that exchanges uncompressed buckets one after the other, without overlap. */
record BucketAggregator(BucketSums sums, List<Integer> partners, Instruments instruments)
        implements VectorAggregator {

    @Override
    public MemorySegment of(MemorySegment vector, double factor, double gradientScale) {
        for (int bucket = 0; bucket < sums.count(); bucket++) {
            sums.scale(bucket, vector, factor);
        }
        instruments.end(Phase.APPLY);
        for (int bucket = 0; bucket < sums.count(); bucket++) {
            sums.exchange(bucket);
        }
        instruments.endExchange(TrafficKind.GRADIENT, partners);
        return sums.sum();
    }
}
