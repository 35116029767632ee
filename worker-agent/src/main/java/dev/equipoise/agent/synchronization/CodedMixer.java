package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.checkpoint.RankStateRegistry;
import dev.equipoise.agent.codec.Frame;
import dev.equipoise.agent.gossip.FrameExchange;
import dev.equipoise.agent.gossip.MixingRow;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Phase;
import dev.equipoise.agent.instrument.TrafficKind;
import java.lang.foreign.MemorySegment;

/**
 * Mixer over coded frames. A rank also takes only the decoded frame of itself (Tolstobrov,
 * algorithm 3), so that the frames alone move the mean.
 */
final class CodedMixer implements Mixer {

    private final FrameExchange frames;
    private final FrameCoder coder;
    private final int rank;
    private final Instruments instruments;
    private final TrafficKind kind;
    private long exchange;

    CodedMixer(
            FrameExchange frames,
            FrameCoder coder,
            int rank,
            RankStateRegistry registry,
            Instruments instruments,
            TrafficKind kind) {
        this.frames = frames;
        this.coder = coder;
        this.rank = rank;
        this.instruments = instruments;
        this.kind = kind;
        registry.number(() -> exchange, it -> exchange = it);
    }

    @Override
    public void mix(MemorySegment vector, double gradientScale) {
        Frame own = coder.encode(vector, gradientScale, frames.own());
        instruments.end(Phase.ENCODE);
        MixingRow mixingRow = frames.exchange(own, exchange);
        instruments.endExchange(kind, mixingRow.participants(rank));
        vector.fill((byte) 0);
        coder.add(own, rank, mixingRow.own(), vector);
        for (int i = 0; i < mixingRow.parts().size(); i++) {
            MixingRow.Part part = mixingRow.parts().get(i);
            coder.add(frames.frame(i), part.from(), part.weight(), vector);
        }
        instruments.end(Phase.ENCODE);
        exchange++;
    }
}
