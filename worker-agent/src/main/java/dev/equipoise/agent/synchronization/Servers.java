package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.codec.Codec;
import dev.equipoise.agent.network.ParameterBlock;
import dev.equipoise.agent.optimizer.Optimizer;
import dev.equipoise.agent.server.Coding;
import dev.equipoise.agent.server.Mode;
import dev.equipoise.agent.server.OptimizerSteps;
import dev.equipoise.agent.server.Roles;
import dev.equipoise.agent.server.Shard;
import dev.equipoise.agent.server.Sharding;
import dev.equipoise.agent.server.Terms;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.StalenessCorrection;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;
import java.util.List;
import java.util.Optional;

/** What servers and replicas of a plan agree on. */
record Servers(Participant participant, Topology.ParameterServer topology) {

    Terms terms() {
        return new Terms(
                new Roles(topology.servers(), participant.channel().size()),
                sharding(),
                mode(),
                coding());
    }

    private Sharding sharding() {
        List<Long> layers =
                participant.blocks().stream()
                        .map(ParameterBlock::length)
                        .map(Integer::longValue)
                        .toList();
        return topology.perLayer()
                ? Sharding.byLayers(layers, topology.servers())
                : Sharding.byBytes(participant.elements(), topology.servers());
    }

    private Mode mode() {
        return switch (participant.plan().method().synchronization()) {
            case Synchronization.Async _ -> new Mode.Asynchronous();
            case Synchronization.StaleSynchronous(int bound, boolean barrier, var _) ->
                    barrier ? new Mode.Barrier(bound) : new Mode.StaleSynchronous(bound);
            default -> new Mode.Aggregating(Mode.Aggregate.SUM);
        };
    }

    private Optional<Coding> coding() {
        Compression compression = participant.plan().method().compression();
        return compression instanceof Compression.None
                ? Optional.empty()
                : Optional.of(
                        new Coding(
                                shard -> codec(compression, sharding().shards().get(shard)),
                                compression.errorFeedback(),
                                participant.plan().seed()));
    }

    /** Shards are no layers, so that the signs of a shard share one magnitude. */
    private Codec codec(Compression compression, Shard shard) {
        return switch (compression) {
            case Compression.Sign _ -> Codec.sign();
            case Compression.SampledRows settings ->
                    Codec.sampledRows(
                            new SampledMatrices(settings, participant).all(),
                            Math.toIntExact(shard.offset() / Float.BYTES),
                            Math.toIntExact((shard.offset() + shard.bytes()) / Float.BYTES));
            default -> Codecs.of(compression, participant);
        };
    }

    /** How servers that apply gradients on arrival do so: each gradient is a step. */
    OptimizerSteps steps() {
        int replicas = participant.replicas().size();
        Optimizer optimizer =
                Optimizer.of(
                        participant.plan().optimizer(),
                        participant.plan().division().rounds() * replicas,
                        participant.plan().epochs(),
                        participant.descent());
        return new OptimizerSteps(
                optimizer, correction(), sharding().of(participant.rank()), participant.memory());
    }

    StalenessCorrection correction() {
        return switch (participant.plan().method().synchronization()) {
            case Synchronization.Async async -> async.correction();
            case Synchronization.StaleSynchronous stale -> stale.correction();
            default -> new StalenessCorrection.None();
        };
    }

    /** Updates by all others between a read and its own, at most; none where there is no bound. */
    Optional<Long> greatestStaleness() {
        long others = participant.replicas().size() - 1L;
        return participant.plan().method().synchronization()
                        instanceof
                        Synchronization.StaleSynchronous(int bound, boolean barrier, var _)
                ? Optional.of(others * (2L * bound + (barrier ? -1 : 1)))
                : Optional.empty();
    }
}
