package dev.equipoise.benchmarks.exchange;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.collective.AllReduce;
import dev.equipoise.agent.collective.FloatSum;
import dev.equipoise.agent.collective.RingAllReduce;
import dev.equipoise.agent.server.Mode;
import dev.equipoise.agent.server.ParameterServer;
import dev.equipoise.agent.server.RemoteParameters;
import dev.equipoise.agent.server.Roles;
import dev.equipoise.agent.server.ServerConfiguration;
import dev.equipoise.agent.server.Shard;
import dev.equipoise.agent.server.Sharding;
import dev.equipoise.agent.server.Update;
import dev.equipoise.benchmarks.JsonLines;
import dev.equipoise.benchmarks.Medians;
import dev.equipoise.protocol.network.CommunicationModel;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** One rank of {@code bench aggregate}; rank 0 prints the result. */
@Command(name = "measure-aggregate", hidden = true)
public final class MeasureAggregate implements Callable<Integer> {

    /** Bytes to exchange as a warm-up, until the compiler has optimized the code. */
    private static final double FIRST_BYTES = 1e9;

    private static final double NANOS = 1e9;

    @Option(names = "--rank", required = true)
    private int rank;

    @Option(names = "--ranks", required = true)
    private int ranks;

    @Option(names = "--channel", required = true)
    private ExchangeVariant variant = ExchangeVariant.DIRECT;

    @Option(names = "--network", required = true)
    private String network = "";

    @Option(names = "--aggregation", required = true)
    private Aggregation aggregation = Aggregation.RING;

    @Option(names = "--per-layer", arity = "1", required = true)
    private boolean perLayer;

    @Option(names = "--rounds", required = true)
    private int rounds;

    @Override
    public Integer call() throws IOException, InterruptedException {
        new ChannelSetup(variant, rank, ranks).run(this::measure);
        return 0;
    }

    private void measure(Channel channel) {
        List<Long> layers =
                CommunicationModel.named(network).orElseThrow().layerSizes().stream()
                        .map(Integer::longValue)
                        .toList();
        try (channel;
                Arena memory = Arena.ofShared()) {
            switch (aggregation) {
                case RING -> ring(channel, sharding(layers), memory);
                case SERVER -> server(channel, sharding(layers), memory);
            }
        }
    }

    private Sharding sharding(List<Long> layers) {
        return perLayer
                ? Sharding.byLayers(layers, 1)
                : Sharding.byBytes(layers.stream().mapToLong(Long::longValue).sum(), 1);
    }

    private void ring(Channel channel, Sharding sharding, Arena memory) {
        var vectors = Vectors.of(sharding, memory);
        AllReduce allReduce = new RingAllReduce(channel, memory);
        var sum = FloatSum.fastest();
        List<Long> ends = new ArrayList<>();
        Runnable round =
                () -> {
                    vectors.aggregate(sharding, allReduce, sum);
                    ends.add(System.nanoTime());
                };
        repeat(sharding, vectors, ranks, round);
        report(sharding, ends);
    }

    /** Weights and gradient of one rank. */
    private record Vectors(MemorySegment weights, MemorySegment gradient) {

        /** Allocates weights of zeros, and a gradient of ones for the first round. */
        static Vectors of(Sharding sharding, Arena memory) {
            MemorySegment gradient = zeros(sharding, memory);
            for (long i = 0; i < gradient.byteSize() / Float.BYTES; i++) {
                gradient.setAtIndex(JAVA_FLOAT, i, 1);
            }
            return new Vectors(zeros(sharding, memory), gradient);
        }

        /** Sums the gradients of all ranks, shard by shard, and adds the sums to the weights. */
        void aggregate(Sharding sharding, AllReduce allReduce, FloatSum sum) {
            for (Shard shard : sharding.shards()) {
                allReduce.sum(gradient.asSlice(shard.offset(), shard.bytes()));
                sum.add(weights, shard.offset(), gradient, shard.offset(), shard.bytes());
            }
        }
    }

    private static MemorySegment zeros(Sharding sharding, Arena memory) {
        return memory.allocate(JAVA_FLOAT, sharding.bytes() / Float.BYTES);
    }

    /**
     * Repeats a round for the warm-up and the measurement. Checks the weights after the first
     * round, so that no wrong round is measured; later gradients are zero.
     *
     * @param gradients number of gradients that a round sums
     */
    private void repeat(Sharding sharding, Vectors vectors, int gradients, Runnable round) {
        for (int i = 0; i <= warmUps(sharding) + rounds; i++) {
            round.run();
            if (i == 0) {
                check(vectors.weights, gradients);
                vectors.gradient.fill((byte) 0);
            }
        }
    }

    private static void check(MemorySegment weights, int gradients) {
        for (long i = 0; i < weights.byteSize() / Float.BYTES; i++) {
            if (weights.getAtIndex(JAVA_FLOAT, i) != gradients) {
                throw new IllegalStateException(
                        "element %d must be the sum of %d gradients, but is %s"
                                .formatted(i, gradients, weights.getAtIndex(JAVA_FLOAT, i)));
            }
        }
    }

    private void server(Channel channel, Sharding sharding, Arena memory) {
        var configuration =
                new ServerConfiguration(
                        new Roles(1, ranks), sharding, new Mode.Synchronous(Mode.Aggregate.SUM));
        if (configuration.roles().isServer(rank)) {
            serve(channel, configuration, memory);
            return;
        }
        var vectors = Vectors.of(sharding, memory);
        var remote = new RemoteParameters(channel, configuration, memory);
        Runnable round = () -> remote.exchange(vectors.gradient, vectors.weights);
        repeat(sharding, vectors, ranks - 1, round);
        remote.pause();
    }

    private void serve(Channel channel, ServerConfiguration configuration, Arena memory) {
        Sharding sharding = configuration.sharding();
        MemorySegment weights = zeros(sharding, memory);
        List<Long> ends = new ArrayList<>();
        new ParameterServer(channel, configuration, update(sharding, ends), weights, memory)
                .serve();
        report(sharding, ends);
    }

    /** Adds gradients to the weights; notes the end of a round with its last shard. */
    private static Update update(Sharding sharding, List<Long> ends) {
        var sum = FloatSum.fastest();
        return (shard, weights, gradient, _) -> {
            sum.add(weights, 0, gradient, 0, shard.bytes());
            if (isLast(shard, sharding)) {
                ends.add(System.nanoTime());
            }
            return true;
        };
    }

    private static boolean isLast(Shard shard, Sharding sharding) {
        return shard.index() == sharding.shards().size() - 1;
    }

    private static int warmUps(Sharding sharding) {
        return (int) Math.ceil(FIRST_BYTES / sharding.bytes());
    }

    /** Prints the median time of a round after the warm-up. */
    private void report(Sharding sharding, List<Long> ends) {
        if (rank == 0) {
            JsonLines.print(
                    new AggregateFigure(
                            network,
                            aggregation.toString(),
                            perLayer,
                            sharding.shards().size(),
                            ranks,
                            sharding.bytes(),
                            medianSeconds(ends.subList(warmUps(sharding), ends.size()))));
        }
    }

    /** Returns the median time from the end of one round to the end of the next. */
    private static double medianSeconds(List<Long> ends) {
        List<Double> seconds = new ArrayList<>();
        for (int i = 1; i < ends.size(); i++) {
            seconds.add((ends.get(i) - ends.get(i - 1)) / NANOS);
        }
        return Medians.of(seconds);
    }
}
