package dev.equipoise.app.experiment;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.Partitioning;
import dev.equipoise.protocol.StalenessCorrection;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Synchronization.LocalSgd;
import dev.equipoise.protocol.Synchronization.Momentum;
import dev.equipoise.protocol.Synchronization.Weighting;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.Topology.Gossip;
import dev.equipoise.protocol.Topology.Mixing;
import dev.equipoise.protocol.Topology.Partners;
import dev.equipoise.protocol.Topology.Payload;
import dev.equipoise.protocol.network.Loss;
import java.util.stream.IntStream;

/** Checks what the synchronization requires of the other choices. */
final class SynchronizationChecks {

    private final ValidationContext context;
    private final RunConfiguration configuration;
    private final Method method;

    SynchronizationChecks(ValidationContext context) {
        this.context = context;
        this.configuration = context.configuration();
        this.method = context.configuration().method();
    }

    void check() {
        switch (method.synchronization()) {
            case Synchronization.Bsp bsp -> checkBsp(bsp);
            case LocalSgd local -> checkLocalSgd(local);
            case Synchronization.DiLoCo diLoCo -> checkDiLoCo(diLoCo);
            case Synchronization.Async async -> checkAsync(async);
            case Synchronization.StaleSynchronous stale -> checkStaleSynchronous(stale);
            case Synchronization.AdPsgd _ -> checkAdPsgd();
        }
    }

    private void checkBsp(Synchronization.Bsp bsp) {
        requireNoGossip(
                "bsp needs equal weights on all replicas"
                        + "; local-sgd with period 1 exchanges in every round");
        if (bsp.hasBuckets()) {
            checkBuckets(bsp);
        }
    }

    private void checkBuckets(Synchronization.Bsp bsp) {
        context.require(
                method.compression() instanceof Compression.None,
                "compression",
                "must be none with overlap or buckets: a codec selects among the elements of the"
                        + " whole gradient, which no rank has before the backward pass ends");
        context.require(
                !(configuration.partitioning() instanceof Partitioning.Hybrid),
                "synchronization",
                "must have neither overlap nor buckets with hybrid partitioning, whose groups sum"
                        + " the gradients of hidden units");
        context.require(
                !(bsp.isOverlapped()
                        && configuration.partitioning() instanceof Partitioning.BatchCounts),
                "synchronization/overlap",
                "must be false with batch-counts: the gradient of a round is a sum over several"
                        + " mini-batches and complete only after the last of them");
    }

    private void requireNoGossip(String reason) {
        context.require(
                !(method.topology() instanceof Gossip),
                "topology",
                "must not be gossip with this synchronization: " + reason);
    }

    private void requirePeriod(int period) {
        context.require(
                period <= context.rounds(),
                "synchronization/period",
                "must be at most the rounds of the run, %d".formatted(context.rounds()));
    }

    private void checkLocalSgd(LocalSgd local) {
        requirePeriod(local.period());
        if (method.topology() instanceof Gossip gossip) {
            long exchanges = Math.max(1, context.rounds() / local.period());
            context.require(
                    gossip.globalAverageEvery() <= exchanges,
                    "topology/globalAverageEvery",
                    "must be at most the exchanges of the run, %d".formatted(exchanges));
        }
        if (local.momentum() == Momentum.LOCAL) {
            return;
        }
        context.require(
                !(configuration.training().optimizer() instanceof OptimizerSpec.Sgd sgd
                        && sgd.momentum() == 0),
                "synchronization/momentum",
                "must be local, since this optimizer has no state");
        context.require(
                local.momentum() != Momentum.AVERAGE
                        || (!(method.topology() instanceof Gossip)
                                && method.compression() instanceof Compression.None),
                "synchronization/momentum",
                "must not be average over gossip or with a codec, which compute no exact mean");
    }

    private void checkDiLoCo(Synchronization.DiLoCo diLoCo) {
        requireNoGossip("the outer step needs the mean over all replicas");
        requirePeriod(diLoCo.period());
    }

    private void checkAsync(Synchronization.Async async) {
        requireNoGossip("use ad-psgd for gossip without rounds");
        if (method.topology() instanceof Topology.ParameterServer) {
            checkAsyncAtServer(async);
        } else {
            checkAsyncSums(async);
        }
    }

    private void checkAsyncAtServer(Synchronization.Async async) {
        context.require(
                async.maxStaleness() == null,
                "synchronization/maxStaleness",
                "must be omitted with a server that applies gradients on arrival"
                        + "; stale-synchronous has a bound");
        context.require(
                async.weighting() == Weighting.WEIGHTED,
                "synchronization/weighting",
                "must be omitted with a server, where each gradient is a separate step");
        if (async.maxStaleness() == null) {
            requireNoSums(async);
        }
    }

    private void checkAsyncSums(Synchronization.Async async) {
        requireStaleness(async);
        new QueuedSumChecks(context).check(async);
        context.require(
                async.correction() instanceof StalenessCorrection.None,
                "synchronization/correction",
                "must be none over an all-reduce, where at most one update happens between"
                        + " reading and applying");
        context.require(
                async.weighting() == Weighting.WEIGHTED
                        || configuration.training().loss().reduction() == Loss.Reduction.MEAN,
                "synchronization/weighting",
                "must be weighted if the loss is a sum, which contains the weight");
    }

    private void requireNoSums(Synchronization.Async async) {
        String rule = "must be omitted with a server, where no replica has a sum in flight";
        context.require(async.inFlight() == null, "synchronization/inFlight", rule);
        context.require(async.own() == null, "synchronization/own", rule);
    }

    /** Counts staleness in mini-batches, of which a replica may take several in a round. */
    private void requireStaleness(Synchronization.Async async) {
        long most =
                context.rounds()
                        * IntStream.range(0, configuration.ranks())
                                .map(configuration::count)
                                .max()
                                .orElseThrow();
        context.require(
                async.maxStaleness() == null || async.maxStaleness() <= most,
                "synchronization/maxStaleness",
                "must be at most the mini-batches of a replica in the run, %d".formatted(most));
    }

    private void checkStaleSynchronous(Synchronization.StaleSynchronous stale) {
        context.require(
                method.topology() instanceof Topology.ParameterServer,
                "topology",
                "must be parameter-server, which knows the progress of each replica");
        context.require(
                stale.bound() <= context.rounds(),
                "synchronization/bound",
                "must be at most the rounds of the run, %d".formatted(context.rounds()));
    }

    private void checkAdPsgd() {
        if (!(method.topology() instanceof Gossip gossip)) {
            context.note(
                    "topology", "must be gossip for ad-psgd, which exchanges only with neighbors");
            return;
        }
        context.require(
                gossip.schedule() instanceof Partners.RandomMatching,
                "topology/schedule",
                "must be random-matching for ad-psgd, which draws neighbors at random");
        context.require(
                gossip.payload() == Payload.WEIGHTS && gossip.mixing() == Mixing.UNIFORM,
                "topology/payload",
                "must be weights with uniform mixing for ad-psgd");
        context.require(
                gossip.globalAverageEvery() == 0,
                "topology/globalAverageEvery",
                "must be 0 for ad-psgd, which has no rounds");
        context.require(
                method.compression() instanceof Compression.None,
                "compression",
                "must be none for ad-psgd: changing neighbors have no copy to send differences to");
    }
}
