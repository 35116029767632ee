package dev.equipoise.benchmarks.exchange;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.collective.AllReduce;
import dev.equipoise.agent.collective.AllReduces;
import dev.equipoise.agent.collective.Barrier;
import dev.equipoise.agent.time.SystemTime;
import dev.equipoise.benchmarks.JsonLines;
import dev.equipoise.protocol.Topology.Algorithm;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "measure-all-reduce", hidden = true)
public final class MeasureAllReduce implements Callable<Integer> {

    private static final double NANOS = 1e9;

    /**
     * Warm-up rounds, until the compiler has optimized the code, as soon happens in training; the
     * peers need none.
     */
    private static final int FIRST_ROUNDS = 400;

    private static final int FIRST_BYTES = 1 << 20;
    private static final int FIRST_SMALL_ROUNDS = 20_000;
    private static final int FIRST_SMALL_BYTES = 4 << 10;

    @Option(names = "--rank", required = true)
    private int rank;

    @Option(names = "--ranks", required = true)
    private int ranks;

    @Option(names = "--channel", required = true)
    private ExchangeVariant variant = ExchangeVariant.DIRECT;

    @Option(names = "--algorithm", required = true)
    private Algorithm algorithm = Algorithm.RING;

    @Override
    public Integer call() throws IOException, InterruptedException {
        new ChannelSetup(variant, rank, ranks).run(this::measure);
        return 0;
    }

    private void measure(Channel channel) {
        try (channel;
                Arena memory = Arena.ofShared()) {
            long most = Series.ALL.getLast().bytes();
            MemorySegment vector = memory.allocate(most, Float.BYTES);
            AllReduce allReduce =
                    AllReduces.of(algorithm, channel, most / Float.BYTES, new SystemTime(), memory);
            repeat(FIRST_ROUNDS, allReduce, vector.asSlice(0, FIRST_BYTES));
            repeat(FIRST_SMALL_ROUNDS, allReduce, vector.asSlice(0, FIRST_SMALL_BYTES));
            for (Series series : Series.ALL) {
                measure(series, channel, allReduce, vector.asSlice(0, series.bytes()));
            }
        }
    }

    private void measure(
            Series series, Channel channel, AllReduce allReduce, MemorySegment vector) {
        check(allReduce, vector);
        repeat(series.warmUps(), allReduce, vector);
        new Barrier(channel).await();
        long before = System.nanoTime();
        repeat(series.rounds(), allReduce, vector);
        double seconds = (System.nanoTime() - before) / NANOS / series.rounds();
        if (rank == 0) {
            JsonLines.print(Figure.of(ranks, series.bytes(), seconds));
        }
    }

    private static void repeat(int rounds, AllReduce allReduce, MemorySegment vector) {
        for (int i = 0; i < rounds; i++) {
            allReduce.sum(vector);
        }
    }

    /** Checks a sum, so that no wrong one is measured; leaves zeros, which stay small. */
    private void check(AllReduce allReduce, MemorySegment vector) {
        long elements = vector.byteSize() / Float.BYTES;
        for (long i = 0; i < elements; i++) {
            vector.setAtIndex(JAVA_FLOAT, i, (float) (rank + 1 + i % 7));
        }
        allReduce.sum(vector);
        for (long i = 0; i < elements; i++) {
            float expected = (float) (ranks * (ranks + 1L) / 2 + ranks * (i % 7));
            if (vector.getAtIndex(JAVA_FLOAT, i) != expected) {
                throw new IllegalStateException(
                        "element %d must be %s, but is %s"
                                .formatted(i, expected, vector.getAtIndex(JAVA_FLOAT, i)));
            }
        }
        vector.fill((byte) 0);
    }
}
