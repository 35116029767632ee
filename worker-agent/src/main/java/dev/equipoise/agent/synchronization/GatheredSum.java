package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.codec.Frame;
import dev.equipoise.agent.collective.FloatScale;
import dev.equipoise.agent.collective.FrameAllGather;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Phase;
import dev.equipoise.agent.instrument.TrafficKind;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Aggregator by an all-gather: every rank decodes the frames of all and adds them in the order of
 * the ranks. Serves codecs whose frames cannot be summed.
 */
final class GatheredSum implements VectorAggregator {

    private final FrameAllGather frames;
    private final FrameCoder coder;
    private final int ranks;
    private final Instruments instruments;
    private final TrafficKind kind;
    private final FloatScale scale = FloatScale.fastest();
    private final MemorySegment sum;

    GatheredSum(
            FrameAllGather frames,
            FrameCoder coder,
            int ranks,
            Instruments instruments,
            TrafficKind kind,
            MemorySegment sum) {
        this.frames = frames;
        this.coder = coder;
        this.ranks = ranks;
        this.instruments = instruments;
        this.kind = kind;
        this.sum = sum;
    }

    @Override
    public MemorySegment of(MemorySegment vector, double factor, double gradientScale) {
        PlainSum.scaled(scale, vector, factor, sum);
        Frame own = coder.encode(sum, factor * gradientScale, frames.own());
        instruments.end(Phase.ENCODE);
        frames.gather(own.content(), own.payload().byteSize());
        instruments.endExchange(kind, List.of());
        sum.fill((byte) 0);
        for (int rank = 0; rank < ranks; rank++) {
            coder.add(Frame.of(frames.content(rank), frames.payload(rank)), rank, 1, sum);
        }
        instruments.end(Phase.ENCODE);
        return sum;
    }
}
