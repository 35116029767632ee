package dev.equipoise.agent.synchronization;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.codec.Codec;
import dev.equipoise.agent.codec.PowerSgd;
import dev.equipoise.agent.codec.TouchedRows;
import dev.equipoise.agent.collective.AllReduce;
import dev.equipoise.agent.collective.AllReduces;
import dev.equipoise.agent.collective.FloatScale;
import dev.equipoise.agent.collective.FrameAllGather;
import dev.equipoise.agent.collective.RingAllReduce;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.TrafficKind;
import dev.equipoise.agent.link.LinkMatrix;
import dev.equipoise.agent.order.ChoiceSource;
import dev.equipoise.agent.server.RemoteParameters;
import dev.equipoise.agent.server.Shard;
import dev.equipoise.performance.cost.GradientBucket;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.RunReport.Strand;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.Topology.Algorithm;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Creates aggregators over all replicas, with the topology and the codec of a plan. */
final class VectorAggregators {

    private final RankContext context;
    private final Instruments instruments;
    private final ChoiceSource decisions;
    private final @Nullable RemoteParameters servers;

    /**
     * @param instruments of the thread that sums
     * @param strand the thread that sums
     */
    VectorAggregators(RankContext context, Instruments instruments, Strand strand) {
        this.context = context;
        this.instruments = instruments;
        this.decisions = context.order().of(strand);
        this.servers =
                context.plan().method().topology() instanceof Topology.ParameterServer topology
                        ? remote(context, topology)
                        : null;
    }

    private static RemoteParameters remote(RankContext context, Topology.ParameterServer topology) {
        var remote =
                new RemoteParameters(
                        context.channel(),
                        new ServerConfigurations(context, topology).configuration(),
                        context.memory());
        remote.register(context.registry());
        return remote;
    }

    /** Returns the client of the servers that sum; null without servers. */
    @Nullable RemoteParameters servers() {
        return servers;
    }

    /** Creates an aggregator with the plan's codec. */
    VectorAggregator coded(TrafficKind kind) {
        if (servers != null) {
            return serverSum(servers, kind);
        }
        return switch (context.plan().method().compression()) {
            case Compression.None _ -> plain(kind);
            case Compression.PowerSgd(int rank) -> lowRank(rank, kind);
            case Compression.RandomK randomK -> linear(randomK, kind);
            case Compression.SampledRows rows -> ofUnion(linear(rows, kind));
            case Compression compression -> gathered(compression, kind);
        };
    }

    /** Creates an aggregator of uncompressed float32. */
    VectorAggregator plain(TrafficKind kind) {
        if (servers != null) {
            return serverSum(servers, kind);
        }
        return context.isAlone()
                ? alone()
                : new PlainSum(allReduce(), instruments, kind, context.vector());
    }

    /**
     * Creates the sums of uncompressed buckets.
     *
     * @param choices the source of choices of the summing thread
     */
    BucketSums buckets(ChoiceSource choices) {
        List<GradientBucket> buckets = context.buckets();
        MemorySegment scaled = context.vector();
        RemoteParameters client = servers;
        if (client != null) {
            MemorySegment sum = context.vector();
            return new BucketSums(
                    buckets,
                    scaled,
                    sum,
                    buckets.stream().map(it -> atServers(client, it, scaled, sum)).toList());
        }
        if (context.isAlone()) {
            return new BucketSums(
                    buckets, scaled, scaled, Collections.nCopies(buckets.size(), () -> {}));
        }
        AllReduce allReduce = allReduce(largest(buckets), choices);
        return new BucketSums(
                buckets,
                scaled,
                scaled,
                buckets.stream()
                        .map(it -> scaled.asSlice(it.offset(), it.bytes()))
                        .<Runnable>map(it -> () -> allReduce.sum(it))
                        .toList());
    }

    /** Exchanges the shards of a bucket from the last to the first, as layers are computed. */
    private static Runnable atServers(
            RemoteParameters client,
            GradientBucket bucket,
            MemorySegment scaled,
            MemorySegment sum) {
        List<Shard> shards = client.shards(bucket.offset(), bucket.bytes()).reversed();
        return () -> client.exchange(shards, scaled, sum);
    }

    private static long largest(List<GradientBucket> buckets) {
        return buckets.stream().mapToLong(GradientBucket::bytes).max().orElseThrow() / Float.BYTES;
    }

    /** Returns the ranks whose vectors a sum needs; empty for all ranks. */
    List<Integer> partners() {
        return servers == null ? List.of() : context.replicas();
    }

    private VectorAggregator serverSum(RemoteParameters client, TrafficKind kind) {
        return new ServerSum(
                client, context.replicas(), instruments, kind, context.vector(), context.vector());
    }

    private VectorAggregator alone() {
        MemorySegment sum = context.vector();
        FloatScale scale = FloatScale.fastest();
        return (vector, factor, _) -> {
            PlainSum.scaled(scale, vector, factor, sum);
            return sum;
        };
    }

    private VectorAggregator lowRank(int rank, TrafficKind kind) {
        var powerSgd = new PowerSgd(Codecs.parts(context.blocks()), rank, context.plan().seed());
        return new LowRankSum(
                powerSgd,
                allReduce(),
                context.replicas().size(),
                instruments,
                kind,
                context.vector(),
                context.vector(),
                context.registry(),
                context.memory());
    }

    /** Gathers the touched rows first, since all ranks must send the same rows. */
    private VectorAggregator ofUnion(VectorAggregator linear) {
        TouchedRows rows = context.touchedRows().orElseThrow();
        var union =
                new TouchedRowsUnion(
                        rows,
                        new FrameAllGather(context.channel(), rows.mostBytes(), context.memory()),
                        context.channel().size(),
                        instruments);
        return (vector, factor, gradientScale) -> {
            union.gather();
            return linear.of(vector, factor, gradientScale);
        };
    }

    private VectorAggregator linear(Compression compression, TrafficKind kind) {
        FrameCoder coder = coder(compression);
        return new LinearSum(
                allReduce(),
                coder,
                context.rank(),
                instruments,
                kind,
                context.memory().allocate(largestPayload(coder.codec()), Float.BYTES),
                context.vector());
    }

    private VectorAggregator gathered(Compression compression, TrafficKind kind) {
        FrameCoder coder = coder(compression);
        return new GatheredSum(
                new FrameAllGather(
                        context.channel(), largestPayload(coder.codec()), context.memory()),
                coder,
                context.channel().size(),
                instruments,
                kind,
                context.vector());
    }

    /** Creates a coder of this rank, with a residual if the plan has error feedback. */
    FrameCoder coder(Compression compression) {
        return coder(compression, compression.errorFeedback());
    }

    /** Creates a coder of this rank without error feedback. */
    FrameCoder coderWithoutFeedback(Compression compression) {
        return coder(compression, false);
    }

    private FrameCoder coder(Compression compression, boolean hasErrorFeedback) {
        return new FrameCoder(
                        Codecs.of(compression, context),
                        hasErrorFeedback,
                        context.plan().seed(),
                        context.rank(),
                        Math.toIntExact(context.elements()),
                        context.memory())
                .register(context.registry());
    }

    long largestPayload(Codec codec) {
        return codec.largestPayload(Math.toIntExact(context.elements()));
    }

    /** Creates an all-reduce for a few figures, whatever the topology. */
    AllReduce figures(int count) {
        return AllReduces.of(
                Algorithm.RECURSIVE_DOUBLING,
                context.channel(),
                count,
                context.time(),
                decisions,
                context.memory());
    }

    private AllReduce allReduce() {
        return allReduce(context.elements(), decisions);
    }

    /**
     * @param elements of the longest vector
     */
    private AllReduce allReduce(long elements, ChoiceSource choices) {
        return switch (context.plan().method().topology()) {
            case Topology.AllReduce(var _, var order) when order == Topology.RingOrder.BY_LINK ->
                    byLink(elements);
            case Topology.AllReduce(var algorithm, var _) ->
                    allReduce(algorithm, elements, choices);
            case Topology.Gossip _ -> allReduce(Algorithm.RING, elements, choices);
            case Topology.ParameterServer _ ->
                    throw new IllegalArgumentException(
                            "a parameter server topology has no all-reduce");
        };
    }

    private AllReduce allReduce(Algorithm algorithm, long elements, ChoiceSource choices) {
        return AllReduces.of(
                algorithm, context.channel(), elements, context.time(), choices, context.memory());
    }

    /** Creates a ring ordered for the size of its chunks. */
    private AllReduce byLink(long elements) {
        int ranks = context.channel().size();
        long chunk = elements * JAVA_FLOAT.byteSize() / ranks;
        return new RingAllReduce(
                context.channel(),
                LinkMatrix.of(ranks, context.plan().links()).ringOrder(chunk),
                context.memory());
    }
}
