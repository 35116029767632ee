package dev.equipoise.agent;

import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.EpochFinished.Phases;
import dev.equipoise.protocol.EpochFinished.Traffic;
import dev.equipoise.protocol.EpochFinished.WeightUpdates;
import dev.equipoise.protocol.RunReport.Phase;
import dev.equipoise.protocol.RunReport.Strand;
import dev.equipoise.protocol.RunReport.Traced;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;

/** Sample events of agents. */
public final class TestingEvents {

    private TestingEvents() {}

    public static EpochFinished epoch(int rank, int epoch, int samples) {
        return new EpochFinished(
                rank,
                epoch,
                samples,
                new Phases(1, 0, 0.1, 0.1, 0, 0),
                1.2,
                new Traffic(1_000, 0, 0, 10),
                new WeightUpdates(10, 0.1, List.of(), 0),
                0.5,
                null,
                null,
                null,
                "00");
    }

    /** Returns a trace with this many consecutive slices of rank 0. */
    public static Traced traced(int epoch, int slices) {
        return new Traced(
                0,
                epoch,
                Strand.MAIN,
                Collections.nCopies(slices, Phase.COMPUTE),
                LongStream.range(0, slices).boxed().toList(),
                Collections.nCopies(slices, 1L),
                0);
    }
}
