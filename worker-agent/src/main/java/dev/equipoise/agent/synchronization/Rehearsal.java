package dev.equipoise.agent.synchronization;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.collective.Barrier;
import dev.equipoise.agent.collective.RecursiveDoubling;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Kind;
import dev.equipoise.protocol.AgentEvent.Strand;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.Grouping;
import dev.equipoise.protocol.Topology;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.DoubleStream;

/** Measures, before a training begins, what it will do again and again. */
public final class Rehearsal {

    private static final double NANOS_PER_SECOND = 1e9;
    private static final int WARM_UPS = 5;
    private static final int REPETITIONS = 21;

    /** How often they may be timed anew, as agents that have just started become faster. */
    private static final int MOST_AGAIN = 6;

    /** Times that are no longer than so much of the last ones are still becoming shorter. */
    private static final double STILL_FASTER = 0.8;

    /** Sums that take longer than this altogether are those of slow links, and not of cold code. */
    private static final double LONG_SECONDS = 0.5;

    private Rehearsal() {}

    /**
     * The median seconds of a sum over all ranks of a vector as long as the weights, in the plan's
     * codec, after all were ready; where ranks are in groups, of the sums of a round. Every rank
     * calls it. The first sums are left out, which find cold caches and small windows, and so are
     * those of code that is still being compiled; on a virtual clock all take the same, and one is
     * enough.
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
            vector.fill((byte) 0);
            Runnable summation = summation(participant.rehearsing(memory), vector);
            var barrier = new Barrier(participant.channel());
            if (!(participant.plan().execution() instanceof Execution.Real)) {
                return seconds(participant, barrier, summation);
            }
            for (int i = 0; i < WARM_UPS; i++) {
                seconds(participant, barrier, summation);
            }
            return settled(
                    () -> median(participant, barrier, summation),
                    new Agreement(participant.channel(), memory)::sum);
        }
    }

    /**
     * Times anew as long as it becomes faster.
     *
     * @param median seconds of a sum, timed now
     * @param sumOfRanks by which they judge, so that all stop at the same one
     */
    static double settled(DoubleSupplier median, DoubleUnaryOperator sumOfRanks) {
        double seconds = median.getAsDouble();
        double all = sumOfRanks.applyAsDouble(seconds);
        for (int again = 0; again < MOST_AGAIN && REPETITIONS * all < LONG_SECONDS; again++) {
            double before = all;
            seconds = median.getAsDouble();
            all = sumOfRanks.applyAsDouble(seconds);
            if (all > STILL_FASTER * before) {
                break;
            }
        }
        return seconds;
    }

    private static double median(Participant participant, Barrier barrier, Runnable summation) {
        return DoubleStream.generate(() -> seconds(participant, barrier, summation))
                .limit(REPETITIONS)
                .sorted()
                .skip(REPETITIONS / 2)
                .findFirst()
                .orElseThrow();
    }

    /** A sum of one number has the same bits on all ranks. */
    private static final class Agreement {

        private final MemorySegment number;
        private final RecursiveDoubling sum;

        Agreement(Channel channel, Arena memory) {
            this.number = memory.allocate(JAVA_FLOAT);
            this.sum = new RecursiveDoubling(channel, 1, memory);
        }

        double sum(double own) {
            number.set(JAVA_FLOAT, 0, (float) own);
            sum.sum(number);
            return number.get(JAVA_FLOAT, 0);
        }
    }

    private static Runnable summation(Participant rehearsing, MemorySegment vector) {
        Instruments instruments = instruments(rehearsing);
        Grouping grouping = rehearsing.plan().division().grouping();
        if (grouping == null) {
            Summation summation =
                    new Summations(rehearsing, instruments, Strand.MAIN).coded(Kind.GRADIENT);
            return () -> summation.of(vector, 1);
        }
        var sums = new HybridSums(rehearsing, instruments, grouping);
        MemorySegment outputs = rehearsing.memory().allocate(JAVA_FLOAT, sums.mostOutputs());
        long perUnit = vector.byteSize() / Float.BYTES / grouping.allUnits();
        int units = grouping.units().get(grouping.positionOf(rehearsing.rank()));
        MemorySegment gradient = vector.asSlice(0, perUnit * units * Float.BYTES);
        return () -> {
            sums.inGroup(outputs);
            sums.overGroups(List.of(gradient));
        };
    }

    private static Instruments instruments(Participant participant) {
        return new Instruments(participant.time(), participant.channel(), 0);
    }

    private static double seconds(Participant participant, Barrier barrier, Runnable summation) {
        barrier.await();
        long begun = participant.time().nanoTime();
        summation.run();
        return (participant.time().nanoTime() - begun) / NANOS_PER_SECOND;
    }
}
