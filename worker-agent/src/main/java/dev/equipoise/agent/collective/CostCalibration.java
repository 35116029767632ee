package dev.equipoise.agent.collective;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.time.Time;
import dev.equipoise.performance.cost.CostModel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Measures the costs alpha, beta and gamma of algorithm selection (docs/algorithms.md, section
 * 3.2). Every rank exchanges small and large messages with its neighbors in the ring, and adds
 * vectors; all ranks take the means over the ranks, so that all have equal costs.
 */
final class CostCalibration {

    /** The first repetitions find cold caches, small windows, and code that is not compiled. */
    private static final int WARM_UPS = 30;

    private static final int REPETITIONS = 9;
    private static final int FLOATS = 1 << 18;
    private static final double NANOS_PER_SECOND = 1e9;

    private final Channel channel;
    private final Time time;
    private final MemorySegment out;
    private final MemorySegment in;

    private CostCalibration(Channel channel, Time time, Arena memory) {
        this.channel = channel;
        this.time = time;
        this.out = memory.allocate(JAVA_FLOAT, FLOATS);
        this.in = memory.allocate(JAVA_FLOAT, FLOATS);
    }

    static CostModel of(Channel channel, Time time) {
        try (Arena memory = Arena.ofShared()) {
            return new CostCalibration(channel, time, memory).costs(memory);
        }
    }

    private CostModel costs(Arena memory) {
        MemorySegment measured = memory.allocate(JAVA_FLOAT, 3);
        double small = seconds(this::exchangeNothing);
        double large = seconds(this::exchangeAll);
        var sum = FloatSum.fastest();
        double adding = seconds(() -> sum.add(in, 0, out, 0, out.byteSize()));
        measured.setAtIndex(JAVA_FLOAT, 0, (float) small);
        measured.setAtIndex(JAVA_FLOAT, 1, (float) Math.max(0, large - small));
        measured.setAtIndex(JAVA_FLOAT, 2, (float) adding);
        new FlatAllReduce(channel, memory).sum(measured);
        double rankBytes = (double) out.byteSize() * channel.size();
        return new CostModel(
                measured.getAtIndex(JAVA_FLOAT, 0) / channel.size(),
                measured.getAtIndex(JAVA_FLOAT, 1) / rankBytes,
                measured.getAtIndex(JAVA_FLOAT, 2) / rankBytes);
    }

    private void exchangeNothing() {
        exchange(MemorySegment.NULL, MemorySegment.NULL);
    }

    private void exchangeAll() {
        exchange(out, in);
    }

    private void exchange(MemorySegment toNext, MemorySegment fromPrevious) {
        int size = channel.size();
        if (size > 1) {
            channel.exchange(
                    (channel.rank() + 1) % size,
                    toNext,
                    Math.floorMod(channel.rank() - 1, size),
                    fromPrevious);
        }
    }

    private double seconds(Runnable operation) {
        for (int i = 0; i < WARM_UPS; i++) {
            operation.run();
        }
        long[] nanos = new long[REPETITIONS];
        for (int i = 0; i < REPETITIONS; i++) {
            long before = time.nanoTime();
            operation.run();
            nanos[i] = time.nanoTime() - before;
        }
        Arrays.sort(nanos);
        return nanos[REPETITIONS / 2] / NANOS_PER_SECOND;
    }
}
