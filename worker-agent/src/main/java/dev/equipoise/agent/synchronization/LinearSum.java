package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.codec.Frame;
import dev.equipoise.agent.collective.AllReduce;
import dev.equipoise.agent.collective.FloatScale;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Kind;
import dev.equipoise.agent.instrument.Phase;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** By an all-reduce of what frames hold, for codecs by which all ranks choose alike. */
final class LinearSum implements Summation {

    private final AllReduce allReduce;
    private final FrameCoder coding;
    private final int rank;
    private final Instruments instruments;
    private final Kind kind;
    private final FloatScale scale = FloatScale.fastest();
    private final MemorySegment room;
    private final MemorySegment sum;

    LinearSum(
            AllReduce allReduce,
            FrameCoder coding,
            int rank,
            Instruments instruments,
            Kind kind,
            MemorySegment room,
            MemorySegment sum) {
        this.allReduce = allReduce;
        this.coding = coding;
        this.rank = rank;
        this.instruments = instruments;
        this.kind = kind;
        this.room = room;
        this.sum = sum;
    }

    @Override
    public MemorySegment of(MemorySegment vector, double factor) {
        PlainSum.scaled(scale, vector, factor, sum);
        Frame frame = coding.encode(sum, room);
        instruments.end(Phase.ENCODE);
        allReduce.sum(coding.codec().summands(frame));
        instruments.endExchange(kind, List.of());
        sum.fill((byte) 0);
        coding.add(frame, rank, 1, sum);
        instruments.end(Phase.ENCODE);
        return sum;
    }
}
