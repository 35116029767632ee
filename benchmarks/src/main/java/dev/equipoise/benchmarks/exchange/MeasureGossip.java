package dev.equipoise.benchmarks.exchange;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.LinkLimits;
import dev.equipoise.agent.channel.MemoryChannel;
import dev.equipoise.agent.collective.Barrier;
import dev.equipoise.agent.gossip.Mixing;
import dev.equipoise.agent.gossip.NeighborExchange;
import dev.equipoise.agent.gossip.Schedule;
import dev.equipoise.agent.time.SystemTime;
import dev.equipoise.agent.time.Time;
import dev.equipoise.benchmarks.BenchFailed;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/** Measures gossip between the threads of one process, each with a left and a right neighbor. */
final class MeasureGossip {

    private static final double NANOS = 1e9;
    private static final int SERIES = 5;

    private final int ranks;
    private final long bytes;
    private final int rounds;
    private final LinkLimits limits;
    private final Time time = new SystemTime();

    /**
     * @param ranks at least 3, so that all have two partners
     * @param bytes of the vector
     * @param rounds of one series
     * @param limits of every link
     */
    MeasureGossip(int ranks, long bytes, int rounds, LinkLimits limits) {
        this.ranks = ranks;
        this.bytes = bytes;
        this.rounds = rounds;
        this.limits = limits;
    }

    /** Runs a warm-up series and five measured ones; returns the median of the slowest rank. */
    GossipFigure measure() throws InterruptedException {
        List<Channel> channels = MemoryChannel.join(ranks);
        try (var threads = Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
            List<Future<List<GossipFigure>>> results =
                    channels.stream()
                            .map(channel -> threads.submit(() -> measure(channel)))
                            .toList();
            return slowest(results);
        } catch (ExecutionException e) {
            throw new BenchFailed("a rank failed: " + e.getCause(), e);
        }
    }

    private static GossipFigure slowest(List<Future<List<GossipFigure>>> results)
            throws InterruptedException, ExecutionException {
        Stream.Builder<GossipFigure> medians = Stream.builder();
        for (Future<List<GossipFigure>> result : results) {
            medians.add(
                    result.get().stream()
                            .sorted(Comparator.comparingDouble(GossipFigure::seconds))
                            .toList()
                            .get(SERIES / 2));
        }
        return medians.build().max(Comparator.comparingDouble(GossipFigure::seconds)).orElseThrow();
    }

    /** Measures one rank; closes the channel so that a failed rank does not block the others. */
    private List<GossipFigure> measure(Channel channel) {
        try (channel;
                Arena memory = Arena.ofShared()) {
            long elements = bytes / Float.BYTES;
            MemorySegment vector = memory.allocate(JAVA_FLOAT, elements);
            var neighbors =
                    new NeighborExchange(
                            channel, new Schedule.Fixed(1), new Mixing.Uniform(), elements, memory);
            check(channel, neighbors, vector);
            channel.limit(left(channel), limits);
            channel.limit(right(channel), limits);
            series(channel, neighbors, vector);
            return Stream.generate(() -> series(channel, neighbors, vector)).limit(SERIES).toList();
        }
    }

    private GossipFigure series(Channel channel, NeighborExchange neighbors, MemorySegment vector) {
        new Barrier(channel).await();
        long sent = channel.bytesSent();
        long before = time.nanoTime();
        long threadBefore = time.threadNanos();
        for (int round = 0; round < rounds; round++) {
            neighbors.mix(vector, round);
        }
        double nanosOfAll = time.nanoTime() - before;
        double nanosOfThread = time.threadNanos() - threadBefore;
        return new GossipFigure(
                ranks,
                bytes,
                nanosOfAll / NANOS / rounds,
                nanosOfThread / NANOS / rounds,
                (channel.bytesSent() - sent) / rounds);
    }

    private int left(Channel channel) {
        return Math.floorMod(channel.rank() - 1, ranks);
    }

    private int right(Channel channel) {
        return (channel.rank() + 1) % ranks;
    }

    /** Checks an exchange, so that no wrong one is measured. */
    private void check(Channel channel, NeighborExchange neighbors, MemorySegment vector) {
        for (long i = 0; i < bytes / Float.BYTES; i++) {
            vector.setAtIndex(JAVA_FLOAT, i, 3f * channel.rank());
        }
        neighbors.mix(vector, 0);
        float expected = left(channel) + channel.rank() + right(channel);
        for (long i = 0; i < bytes / Float.BYTES; i++) {
            float found = vector.getAtIndex(JAVA_FLOAT, i);
            if (Math.abs(found - expected) > expected * 1e-6) {
                throw new IllegalStateException(
                        "element %d must be %s, but is %s".formatted(i, expected, found));
            }
        }
    }
}
