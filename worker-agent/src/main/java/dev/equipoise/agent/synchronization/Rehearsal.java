package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.collective.Barrier;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Kind;
import dev.equipoise.protocol.AgentEvent.Strand;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.Topology;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.stream.DoubleStream;

/** Measures, before a training begins, what it will do again and again. */
public final class Rehearsal {

    private static final double NANOS_PER_SECOND = 1e9;
    private static final int WARM_UPS = 5;
    private static final int REPETITIONS = 21;

    private Rehearsal() {}

    /**
     * The median seconds of a sum over all ranks of a vector as long as the weights, in the plan's
     * codec, after all were ready; every rank calls it. The first sums are left out, which find
     * cold caches and small windows; on a virtual clock all take the same, and one is enough.
     *
     * @param vector overwritten with zeros, which are summed
     * @return 0 for a single rank, and where there is no all-reduce
     */
    public static double sumSeconds(Participant participant, MemorySegment vector) {
        if (participant.isAlone()
                || !(participant.plan().method().topology() instanceof Topology.AllReduce)) {
            return 0;
        }
        try (Arena memory = Arena.ofShared()) {
            Participant rehearsing = participant.rehearsing(memory);
            var summation =
                    new Summations(rehearsing, instruments(participant), Strand.MAIN)
                            .coded(Kind.GRADIENT);
            vector.fill((byte) 0);
            var barrier = new Barrier(participant.channel());
            if (!(participant.plan().execution() instanceof Execution.Real)) {
                return seconds(participant, barrier, summation, vector);
            }
            return DoubleStream.generate(() -> seconds(participant, barrier, summation, vector))
                    .limit(WARM_UPS + REPETITIONS)
                    .skip(WARM_UPS)
                    .sorted()
                    .skip(REPETITIONS / 2)
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static Instruments instruments(Participant participant) {
        return new Instruments(participant.time(), participant.channel(), 0);
    }

    private static double seconds(
            Participant participant, Barrier barrier, Summation summation, MemorySegment vector) {
        barrier.await();
        long begun = participant.time().nanoTime();
        summation.of(vector, 1);
        return (participant.time().nanoTime() - begun) / NANOS_PER_SECOND;
    }
}
