package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.checkpoint.Remembered;
import dev.equipoise.agent.codec.Frame;
import dev.equipoise.agent.gossip.FrameExchange;
import dev.equipoise.agent.gossip.Mixture;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Kind;
import dev.equipoise.agent.instrument.Phase;
import java.lang.foreign.MemorySegment;

/**
 * In frames. A rank takes of itself, too, no more than what it tells the others (Tolstobrov,
 * algorithm 3), so that what is told is all that moves the mean.
 */
final class CodedMixer implements Mixer {

    private final FrameExchange frames;
    private final FrameCoder coding;
    private final int rank;
    private final Instruments instruments;
    private final Kind kind;
    private long exchange;

    CodedMixer(
            FrameExchange frames,
            FrameCoder coding,
            int rank,
            Remembered remembered,
            Instruments instruments,
            Kind kind) {
        this.frames = frames;
        this.coding = coding;
        this.rank = rank;
        this.instruments = instruments;
        this.kind = kind;
        remembered.number(() -> exchange, it -> exchange = it);
    }

    @Override
    public void mix(MemorySegment vector) {
        Frame own = coding.encode(vector, frames.own());
        instruments.end(Phase.ENCODE);
        Mixture mixture = frames.exchange(own, exchange);
        instruments.endExchange(kind, mixture.participants(rank));
        vector.fill((byte) 0);
        coding.add(own, rank, mixture.own(), vector);
        for (int i = 0; i < mixture.parts().size(); i++) {
            Mixture.Part part = mixture.parts().get(i);
            coding.add(frames.frame(i), part.from(), part.weight(), vector);
        }
        instruments.end(Phase.ENCODE);
        exchange++;
    }
}
