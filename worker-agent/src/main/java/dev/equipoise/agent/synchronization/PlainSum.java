package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.collective.AllReduce;
import dev.equipoise.agent.collective.FloatScale;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Phase;
import dev.equipoise.agent.instrument.TrafficKind;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Aggregator by an all-reduce of uncompressed float32 vectors. */
final class PlainSum implements VectorAggregator {

    private final AllReduce allReduce;
    private final Instruments instruments;
    private final TrafficKind kind;
    private final FloatScale scale = FloatScale.fastest();
    private final MemorySegment sum;

    /**
     * @param sum memory as long as the vectors
     */
    PlainSum(AllReduce allReduce, Instruments instruments, TrafficKind kind, MemorySegment sum) {
        this.allReduce = allReduce;
        this.instruments = instruments;
        this.kind = kind;
        this.sum = sum;
    }

    @Override
    public MemorySegment of(MemorySegment vector, double factor, double gradientScale) {
        scaled(scale, vector, factor, sum);
        instruments.end(Phase.APPLY);
        allReduce.sum(sum);
        instruments.endExchange(kind, List.of());
        return sum;
    }

    /** Scales a vector; the factor 0 gives zeros even for NaN or infinite elements. */
    static void scaled(
            FloatScale scale, MemorySegment vector, double factor, MemorySegment target) {
        if (factor == 0) {
            target.fill((byte) 0);
        } else {
            scale.scale(vector, (float) factor, target);
        }
    }
}
