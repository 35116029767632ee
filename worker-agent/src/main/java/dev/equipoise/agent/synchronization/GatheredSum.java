package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.codec.Frame;
import dev.equipoise.agent.collective.FloatScale;
import dev.equipoise.agent.collective.FrameGather;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Kind;
import dev.equipoise.agent.instrument.Phase;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * By frames that go round to all, who each decode and add them in the order of the ranks: what is
 * left to codecs whose frames cannot be summed.
 */
final class GatheredSum implements Summation {

    private final FrameGather frames;
    private final FrameCoder coding;
    private final int ranks;
    private final Instruments instruments;
    private final Kind kind;
    private final FloatScale scale = FloatScale.fastest();
    private final MemorySegment sum;

    GatheredSum(
            FrameGather frames,
            FrameCoder coding,
            int ranks,
            Instruments instruments,
            Kind kind,
            MemorySegment sum) {
        this.frames = frames;
        this.coding = coding;
        this.ranks = ranks;
        this.instruments = instruments;
        this.kind = kind;
        this.sum = sum;
    }

    @Override
    public MemorySegment of(MemorySegment vector, double factor) {
        PlainSum.scaled(scale, vector, factor, sum);
        Frame own = coding.encode(sum, frames.own());
        instruments.end(Phase.ENCODE);
        frames.gather(own.content(), own.payload().byteSize());
        instruments.endExchange(kind, List.of());
        sum.fill((byte) 0);
        for (int rank = 0; rank < ranks; rank++) {
            coding.add(Frame.of(frames.content(rank), frames.payload(rank)), rank, 1, sum);
        }
        instruments.end(Phase.ENCODE);
        return sum;
    }
}
