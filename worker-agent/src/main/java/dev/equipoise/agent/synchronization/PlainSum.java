package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.collective.AllReduce;
import dev.equipoise.agent.collective.FloatScale;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Kind;
import dev.equipoise.agent.instrument.Phase;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** By an all-reduce of float32. */
final class PlainSum implements Summation {

    private final AllReduce allReduce;
    private final Instruments instruments;
    private final Kind kind;
    private final FloatScale scale = FloatScale.fastest();
    private final MemorySegment sum;

    /**
     * @param sum what it computes in, as long as the vectors
     */
    PlainSum(AllReduce allReduce, Instruments instruments, Kind kind, MemorySegment sum) {
        this.allReduce = allReduce;
        this.instruments = instruments;
        this.kind = kind;
        this.sum = sum;
    }

    @Override
    public MemorySegment of(MemorySegment vector, double factor) {
        scaled(scale, vector, factor, sum);
        instruments.end(Phase.APPLY);
        allReduce.sum(sum);
        instruments.endExchange(kind, List.of());
        return sum;
    }

    /** Whatever a vector holds that does not count, it shall not come through. */
    static void scaled(
            FloatScale scale, MemorySegment vector, double factor, MemorySegment target) {
        if (factor == 0) {
            target.fill((byte) 0);
        } else {
            scale.scale(vector, (float) factor, target);
        }
    }
}
