package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.codec.Frame;
import dev.equipoise.agent.collective.AllReduce;
import dev.equipoise.agent.collective.FloatScale;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Phase;
import dev.equipoise.agent.instrument.TrafficKind;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Aggregator by an all-reduce of frames, for linear codecs: all ranks select the same elements. */
final class LinearSum implements VectorAggregator {

    private final AllReduce allReduce;
    private final FrameCoder coder;
    private final int rank;
    private final Instruments instruments;
    private final TrafficKind kind;
    private final FloatScale scale = FloatScale.fastest();
    private final MemorySegment buffer;
    private final MemorySegment sum;

    LinearSum(
            AllReduce allReduce,
            FrameCoder coder,
            int rank,
            Instruments instruments,
            TrafficKind kind,
            MemorySegment buffer,
            MemorySegment sum) {
        this.allReduce = allReduce;
        this.coder = coder;
        this.rank = rank;
        this.instruments = instruments;
        this.kind = kind;
        this.buffer = buffer;
        this.sum = sum;
    }

    @Override
    public MemorySegment of(MemorySegment vector, double factor, double gradientScale) {
        PlainSum.scaled(scale, vector, factor, sum);
        Frame frame = coder.encode(sum, factor * gradientScale, buffer);
        instruments.end(Phase.ENCODE);
        allReduce.sum(coder.codec().summands(frame));
        instruments.endExchange(kind, List.of());
        sum.fill((byte) 0);
        coder.add(frame, rank, 1, sum);
        instruments.end(Phase.ENCODE);
        return sum;
    }
}
