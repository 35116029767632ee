package dev.equipoise.app.experiment;

import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.OptimizerSpec;
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

/** When replicas agree: what that wants of all else. */
final class SynchronizationChecks {

    private final Choices choices;
    private final RunConfiguration configuration;
    private final Method method;

    SynchronizationChecks(Choices choices) {
        this.choices = choices;
        this.configuration = choices.configuration();
        this.method = choices.configuration().method();
    }

    void check() {
        switch (method.synchronization()) {
            case Synchronization.Bsp _ ->
                    requireNoGossip(
                            "bsp means equal weights on all replicas"
                                    + "; local-sgd with period 1 exchanges in every round");
            case LocalSgd local -> checkLocalSgd(local);
            case Synchronization.DiLoCo diLoCo -> {
                requireNoGossip("the outer step wants the mean over all replicas");
                requirePeriod(diLoCo.period());
            }
            case Synchronization.Async async -> checkAsync(async);
            case Synchronization.StaleSynchronous stale -> checkStaleSynchronous(stale);
            case Synchronization.AdPsgd _ -> checkAdPsgd();
        }
    }

    private void requireNoGossip(String reason) {
        choices.require(
                !(method.topology() instanceof Gossip),
                "topology",
                "must not be gossip with this synchronization: " + reason);
    }

    private void requirePeriod(int period) {
        choices.require(
                period <= choices.rounds(),
                "synchronization/period",
                "must be at most the rounds of the run, %d".formatted(choices.rounds()));
    }

    private void checkLocalSgd(LocalSgd local) {
        requirePeriod(local.period());
        if (method.topology() instanceof Gossip gossip) {
            long exchanges = Math.max(1, choices.rounds() / local.period());
            choices.require(
                    gossip.globalAverageEvery() <= exchanges,
                    "topology/globalAverageEvery",
                    "must be at most the exchanges of the run, %d".formatted(exchanges));
        }
        if (local.momentum() == Momentum.LOCAL) {
            return;
        }
        choices.require(
                !(configuration.training().optimizer() instanceof OptimizerSpec.Sgd sgd
                        && sgd.momentum() == 0),
                "synchronization/momentum",
                "must be local, as this optimizer remembers nothing");
        choices.require(
                local.momentum() != Momentum.AVERAGE
                        || (!(method.topology() instanceof Gossip)
                                && method.compression() instanceof Compression.None),
                "synchronization/momentum",
                "must not be average over gossip or in a codec, which know no plain mean");
    }

    private void checkAsync(Synchronization.Async async) {
        requireNoGossip("without rounds, replicas that gossip are ad-psgd");
        boolean atServer = method.topology() instanceof Topology.ParameterServer;
        if (atServer) {
            choices.require(
                    async.maxStaleness() == null,
                    "synchronization/maxStaleness",
                    "must be left out at a server that applies gradients on arrival"
                            + "; stale-synchronous has a bound");
            choices.require(
                    async.weighting() == Weighting.WEIGHTED,
                    "synchronization/weighting",
                    "must be left out at a server, where each gradient is a step of its own");
        } else {
            requireStaleness(async);
            choices.require(
                    async.correction() instanceof StalenessCorrection.None,
                    "synchronization/correction",
                    "must be none over an all-reduce, where no more than one update passes between"
                            + " reading and applying");
            choices.require(
                    async.weighting() == Weighting.WEIGHTED
                            || configuration.training().loss().reduction() == Loss.Reduction.MEAN,
                    "synchronization/weighting",
                    "must be weighted where the loss is a sum, which has its weight in itself");
        }
    }

    /** Of mini-batches, of which a replica may take several in a round. */
    private void requireStaleness(Synchronization.Async async) {
        long most =
                choices.rounds()
                        * IntStream.range(0, configuration.ranks())
                                .map(configuration::count)
                                .max()
                                .orElseThrow();
        choices.require(
                async.maxStaleness() == null || async.maxStaleness() <= most,
                "synchronization/maxStaleness",
                "must be at most the mini-batches of a replica in the run, %d".formatted(most));
    }

    private void checkStaleSynchronous(Synchronization.StaleSynchronous stale) {
        choices.require(
                method.topology() instanceof Topology.ParameterServer,
                "topology",
                "must be parameter-server, as somebody must know who is how far");
        choices.require(
                stale.bound() <= choices.rounds(),
                "synchronization/bound",
                "must be at most the rounds of the run, %d".formatted(choices.rounds()));
    }

    private void checkAdPsgd() {
        if (!(method.topology() instanceof Gossip gossip)) {
            choices.note("topology", "must be gossip for ad-psgd, which knows neighbours alone");
            return;
        }
        choices.require(
                gossip.schedule() instanceof Partners.RandomMatching,
                "topology/schedule",
                "must be random-matching for ad-psgd, which draws its neighbours");
        choices.require(
                gossip.payload() == Payload.WEIGHTS && gossip.mixing() == Mixing.UNIFORM,
                "topology/payload",
                "must be weights, uniformly mixed, for ad-psgd");
        choices.require(
                gossip.globalAverageEvery() == 0,
                "topology/globalAverageEvery",
                "must be 0 for ad-psgd, which has no rounds");
        choices.require(
                method.compression() instanceof Compression.None,
                "compression",
                "must be none for ad-psgd: neighbours that change keep no copy to tell changes of");
    }
}
