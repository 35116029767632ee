package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.channel.PayloadType;
import dev.equipoise.agent.codec.TouchedRows;
import dev.equipoise.agent.collective.FrameAllGather;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Phase;
import dev.equipoise.agent.instrument.TrafficKind;
import java.util.List;

/** Gathers the touched rows of all ranks, so that all select the same rows. */
final class TouchedRowsUnion {

    private final TouchedRows rows;
    private final FrameAllGather frames;
    private final int ranks;
    private final Instruments instruments;

    /**
     * @param frames all-gather with memory for the touched rows of any rank
     */
    TouchedRowsUnion(TouchedRows rows, FrameAllGather frames, int ranks, Instruments instruments) {
        this.rows = rows;
        this.frames = frames;
        this.ranks = ranks;
        this.instruments = instruments;
    }

    /** Gathers the rows; every rank calls it. */
    void gather() {
        long bytes = rows.write(frames.own());
        instruments.end(Phase.ENCODE);
        frames.gather(PayloadType.PLAIN, bytes);
        instruments.endExchange(TrafficKind.CONTROL, List.of());
        for (int rank = 0; rank < ranks; rank++) {
            rows.merge(frames.payload(rank));
        }
    }
}
