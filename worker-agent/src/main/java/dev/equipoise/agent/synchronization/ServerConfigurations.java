package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.codec.Codec;
import dev.equipoise.agent.network.ParameterBlock;
import dev.equipoise.agent.optimizer.Optimizer;
import dev.equipoise.agent.server.GradientCoding;
import dev.equipoise.agent.server.Mode;
import dev.equipoise.agent.server.OptimizerSteps;
import dev.equipoise.agent.server.Roles;
import dev.equipoise.agent.server.ServerConfiguration;
import dev.equipoise.agent.server.Shard;
import dev.equipoise.agent.server.Sharding;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.StalenessCorrection;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;
import java.util.List;
import java.util.Optional;

/** Configuration that servers and replicas derive from a plan. */
record ServerConfigurations(RankContext context, Topology.ParameterServer topology) {

    ServerConfiguration configuration() {
        return new ServerConfiguration(
                new Roles(topology.servers(), context.channel().size()),
                sharding(),
                mode(),
                coding());
    }

    private Sharding sharding() {
        List<Long> layers =
                context.blocks().stream()
                        .map(ParameterBlock::length)
                        .map(Integer::longValue)
                        .toList();
        if (topology.perLayer()) {
            return Sharding.byLayers(layers, topology.servers());
        }
        List<Long> buckets =
                context.buckets().reversed().stream()
                        .map(bucket -> bucket.bytes() / Float.BYTES)
                        .toList();
        return buckets.isEmpty()
                ? Sharding.byBytes(context.elements(), topology.servers())
                : Sharding.byBuckets(buckets, topology.servers());
    }

    private Mode mode() {
        return switch (context.plan().method().synchronization()) {
            case Synchronization.Async _ -> new Mode.Asynchronous();
            case Synchronization.StaleSynchronous(int bound, boolean barrier, var _) ->
                    barrier ? new Mode.Barrier(bound) : new Mode.StaleSynchronous(bound);
            default -> new Mode.Aggregating(Mode.Aggregate.SUM);
        };
    }

    private Optional<GradientCoding> coding() {
        Compression compression = context.plan().method().compression();
        return compression instanceof Compression.None
                ? Optional.empty()
                : Optional.of(
                        new GradientCoding(
                                shard -> codec(compression, sharding().shards().get(shard)),
                                compression.errorFeedback(),
                                context.plan().seed()));
    }

    /**
     * Creates a codec for a shard. Shards are not layers, so that the signs of a shard share one
     * magnitude.
     */
    private Codec codec(Compression compression, Shard shard) {
        return switch (compression) {
            case Compression.Sign _ -> Codec.sign();
            case Compression.SampledRows settings ->
                    Codec.sampledRows(
                            new SampledMatrices(settings, context).all(),
                            Math.toIntExact(shard.offset() / Float.BYTES),
                            Math.toIntExact((shard.offset() + shard.bytes()) / Float.BYTES));
            default -> Codecs.of(compression, context);
        };
    }

    /** Returns the steps of servers that apply gradients on arrival: each gradient is one step. */
    OptimizerSteps steps() {
        Optimizer optimizer =
                Optimizer.of(
                        context.plan().optimizer(),
                        stepsPerEpoch(),
                        context.plan().epochs(),
                        context.descent());
        return new OptimizerSteps(
                optimizer,
                context.schedulePosition(stepsPerEpoch()),
                correction(),
                sharding().of(context.rank()),
                context.memory());
    }

    /** Returns the steps of an epoch in the unit of the schedule: one of each replica a round. */
    int stepsPerEpoch() {
        return context.plan().division().rounds() * context.replicas().size();
    }

    StalenessCorrection correction() {
        return switch (context.plan().method().synchronization()) {
            case Synchronization.Async async -> async.correction();
            case Synchronization.StaleSynchronous stale -> stale.correction();
            default -> new StalenessCorrection.None();
        };
    }

    /**
     * Returns the maximum number of updates by others between a read and its own update; empty
     * without a bound.
     */
    Optional<Long> greatestStaleness() {
        long others = context.replicas().size() - 1L;
        return context.plan().method().synchronization()
                        instanceof
                        Synchronization.StaleSynchronous(int bound, boolean barrier, var _)
                ? Optional.of(others * (2L * bound + (barrier ? -1 : 1)))
                : Optional.empty();
    }
}
