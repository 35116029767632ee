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
import dev.equipoise.agent.server.Shard;
import dev.equipoise.agent.server.Sharding;
import dev.equipoise.agent.server.Terms;
import dev.equipoise.agent.server.Update;
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
import tools.jackson.databind.json.JsonMapper;

/** One rank of {@code bench aggregate}; rank 0 tells how long the rounds took. */
@Command(name = "measure-aggregate", hidden = true)
public final class MeasureAggregate implements Callable<Integer> {

    /** So much is moved before it counts, until when the compiler has seen it all. */
    private static final double FIRST_BYTES = 1e9;

    private static final double NANOS = 1e9;

    @Option(names = "--rank", required = true)
    private int rank;

    @Option(names = "--ranks", required = true)
    private int ranks;

    @Option(names = "--channel", required = true)
    private Way way = Way.DIRECT;

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
        new Joining(way, rank, ranks).run(this::measure);
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
        MemorySegment weights = memory.allocate(JAVA_FLOAT, sharding.bytes() / Float.BYTES);
        MemorySegment gradient = gradient(sharding, memory);
        AllReduce allReduce = new RingAllReduce(channel, memory);
        var sum = FloatSum.fastest();
        List<Long> ends = new ArrayList<>();
        for (int round = 0; round <= warmUps(sharding) + rounds; round++) {
            for (Shard shard : sharding.shards()) {
                allReduce.sum(gradient.asSlice(shard.offset(), shard.bytes()));
                sum.add(weights, shard.offset(), gradient, shard.offset(), shard.bytes());
            }
            ends.add(System.nanoTime());
            if (round == 0) {
                check(weights, ranks);
                gradient.fill((byte) 0);
            }
        }
        tell(sharding, ends);
    }

    /** Every rank's first gradient is one everywhere; the later ones are zero. */
    private static MemorySegment gradient(Sharding sharding, Arena memory) {
        long elements = sharding.bytes() / Float.BYTES;
        MemorySegment gradient = memory.allocate(JAVA_FLOAT, elements);
        for (long i = 0; i < elements; i++) {
            gradient.setAtIndex(JAVA_FLOAT, i, 1);
        }
        return gradient;
    }

    /** A fast round that is wrong would be no figure. */
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
        var terms =
                new Terms(new Roles(1, ranks), sharding, new Mode.Synchronous(Mode.Aggregate.SUM));
        MemorySegment weights = memory.allocate(JAVA_FLOAT, sharding.bytes() / Float.BYTES);
        if (terms.roles().isServer(rank)) {
            serve(channel, terms, weights, memory);
            return;
        }
        MemorySegment gradient = gradient(sharding, memory);
        var remote = new RemoteParameters(channel, terms, memory);
        for (int round = 0; round <= warmUps(sharding) + rounds; round++) {
            remote.exchange(gradient, weights);
            if (round == 0) {
                check(weights, ranks - 1);
                gradient.fill((byte) 0);
            }
        }
        remote.pause();
    }

    private void serve(Channel channel, Terms terms, MemorySegment weights, Arena memory) {
        List<Long> ends = new ArrayList<>();
        var sum = FloatSum.fastest();
        Update update =
                (shard, values, gradient, _) -> {
                    sum.add(values, 0, gradient, 0, shard.bytes());
                    if (isLast(shard, terms.sharding())) {
                        ends.add(System.nanoTime());
                    }
                    return true;
                };
        new ParameterServer(channel, terms, update, weights, memory).serve();
        tell(terms.sharding(), ends);
    }

    private static boolean isLast(Shard shard, Sharding sharding) {
        return shard.index() == sharding.shards().size() - 1;
    }

    private static int warmUps(Sharding sharding) {
        return (int) Math.ceil(FIRST_BYTES / sharding.bytes());
    }

    /** From the end of a round to that of the next. */
    private void tell(Sharding sharding, List<Long> ends) {
        if (rank != 0) {
            return;
        }
        List<Long> nanos = new ArrayList<>();
        for (int i = warmUps(sharding) + 1; i < ends.size(); i++) {
            nanos.add(ends.get(i) - ends.get(i - 1));
        }
        double median = Medians.of(nanos.stream().map(it -> it / NANOS).toList());
        System.out.println(
                JsonMapper.builder()
                        .build()
                        .writeValueAsString(
                                new AggregateFigure(
                                        network,
                                        aggregation.toString(),
                                        perLayer,
                                        sharding.shards().size(),
                                        ranks,
                                        sharding.bytes(),
                                        median)));
    }
}
