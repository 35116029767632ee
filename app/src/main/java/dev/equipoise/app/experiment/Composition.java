package dev.equipoise.app.experiment;

import dev.equipoise.app.partition.Partitioner;
import dev.equipoise.protocol.Assignment.LinkProfiling;
import dev.equipoise.protocol.ChannelKind;
import dev.equipoise.protocol.Clipping;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.Partitioning;
import dev.equipoise.protocol.StalenessCorrection;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Synchronization.LocalSgd;
import dev.equipoise.protocol.Synchronization.Momentum;
import dev.equipoise.protocol.Synchronization.Order;
import dev.equipoise.protocol.Synchronization.Weighting;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.Topology.Gossip;
import dev.equipoise.protocol.Topology.Mixing;
import dev.equipoise.protocol.Topology.Partners;
import dev.equipoise.protocol.Topology.Payload;
import dev.equipoise.protocol.network.Loss;
import java.math.BigInteger;
import java.util.stream.IntStream;

/**
 * What of the choices goes together, by the mathematics (docs/methods.md has the whole table). Each
 * rule is noted where the field stands that would have to be another.
 */
final class Composition {

    private final RunConfiguration configuration;
    private final Method method;
    private final Fields root;

    private Composition(RunConfiguration configuration, Fields root) {
        this.configuration = configuration;
        this.method = configuration.method();
        this.root = root;
    }

    /** Notes every pair that is impossible, with the reason. */
    static void check(RunConfiguration configuration, Fields root) {
        var composition = new Composition(configuration, root);
        composition.checkSynchronization();
        composition.checkTopology();
        composition.checkCompression();
        composition.checkExecution();
    }

    private void checkSynchronization() {
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
        require(
                !(method.topology() instanceof Gossip),
                "topology",
                "must not be gossip with this synchronization: " + reason);
    }

    private void requirePeriod(int period) {
        require(
                period <= rounds(),
                "synchronization/period",
                "must be at most the rounds of the run, %d".formatted(rounds()));
    }

    private long rounds() {
        return (long) configuration.rounds() * configuration.training().epochs();
    }

    private void checkLocalSgd(LocalSgd local) {
        requirePeriod(local.period());
        if (method.topology() instanceof Gossip gossip) {
            long exchanges = Math.max(1, rounds() / local.period());
            require(
                    gossip.globalAverageEvery() <= exchanges,
                    "topology/globalAverageEvery",
                    "must be at most the exchanges of the run, %d".formatted(exchanges));
        }
        if (local.momentum() == Momentum.LOCAL) {
            return;
        }
        require(
                !(configuration.training().optimizer() instanceof OptimizerSpec.Sgd sgd
                        && sgd.momentum() == 0),
                "synchronization/momentum",
                "must be local, as this optimizer remembers nothing");
        require(
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
            require(
                    async.maxStaleness() == null,
                    "synchronization/maxStaleness",
                    "must be left out at a server that applies gradients on arrival"
                            + "; stale-synchronous has a bound");
            require(
                    async.weighting() == Weighting.WEIGHTED,
                    "synchronization/weighting",
                    "must be left out at a server, where each gradient is a step of its own");
        } else {
            requireStaleness(async);
            require(
                    async.correction() instanceof StalenessCorrection.None,
                    "synchronization/correction",
                    "must be none over an all-reduce, where no more than one update passes between"
                            + " reading and applying");
            require(
                    async.weighting() == Weighting.WEIGHTED
                            || configuration.training().loss().reduction() == Loss.Reduction.MEAN,
                    "synchronization/weighting",
                    "must be weighted where the loss is a sum, which has its weight in itself");
        }
    }

    /** Of mini-batches, of which a replica may take several in a round. */
    private void requireStaleness(Synchronization.Async async) {
        long most =
                rounds()
                        * IntStream.range(0, configuration.ranks())
                                .map(configuration::count)
                                .max()
                                .orElseThrow();
        require(
                async.maxStaleness() == null || async.maxStaleness() <= most,
                "synchronization/maxStaleness",
                "must be at most the mini-batches of a replica in the run, %d".formatted(most));
    }

    private void checkStaleSynchronous(Synchronization.StaleSynchronous stale) {
        require(
                method.topology() instanceof Topology.ParameterServer,
                "topology",
                "must be parameter-server, as somebody must know who is how far");
        require(
                stale.bound() <= rounds(),
                "synchronization/bound",
                "must be at most the rounds of the run, %d".formatted(rounds()));
    }

    private void checkAdPsgd() {
        if (!(method.topology() instanceof Gossip gossip)) {
            note("topology", "must be gossip for ad-psgd, which knows neighbours alone");
            return;
        }
        require(
                gossip.schedule() instanceof Partners.RandomMatching,
                "topology/schedule",
                "must be random-matching for ad-psgd, which draws its neighbours");
        require(
                gossip.payload() == Payload.WEIGHTS && gossip.mixing() == Mixing.UNIFORM,
                "topology/payload",
                "must be weights, uniformly mixed, for ad-psgd");
        require(
                gossip.globalAverageEvery() == 0,
                "topology/globalAverageEvery",
                "must be 0 for ad-psgd, which has no rounds");
        require(
                method.compression() instanceof Compression.None,
                "compression",
                "must be none for ad-psgd: neighbours that change keep no copy to tell changes of");
    }

    private void checkTopology() {
        switch (method.topology()) {
            case Topology.AllReduce _ -> {}
            case Topology.ParameterServer server -> checkServers(server);
            case Gossip gossip -> checkGossip(gossip);
        }
    }

    private void checkServers(Topology.ParameterServer server) {
        require(
                server.aggregate() == Topology.Aggregate.MEAN
                        || method.synchronization() instanceof Synchronization.Bsp,
                "topology/aggregate",
                "must be mean unless synchronization is bsp: weights are not summed,"
                        + " and gradients that come alone have no sum");
        boolean cuts = server.servers() > 1 || server.perLayer();
        require(
                !(cuts
                        && appliesOnArrival()
                        && configuration.training().optimizer().clipping()
                                instanceof Clipping.Norm),
                "training/optimizer/clipping",
                "must not be norm where parts of a gradient are applied on arrival, each of which"
                        + " would have a norm of its own");
    }

    private boolean appliesOnArrival() {
        return method.synchronization() instanceof Synchronization.Async
                || method.synchronization() instanceof Synchronization.StaleSynchronous;
    }

    private void checkGossip(Gossip gossip) {
        int replicas = configuration.workers().replicas();
        require(replicas > 1, "workers/replicas", "must be at least 2 for gossip");
        if (gossip.schedule() instanceof Partners.Fixed(int distance)) {
            require(
                    distance % Math.max(1, replicas) != 0,
                    "topology/schedule/distance",
                    "must not lead back to the rank itself");
            require(
                    gossip.globalAverageEvery() > 0 || gcd(distance, replicas) == 1,
                    "topology/schedule/distance",
                    "must have no divisor in common with the %d replicas, which else fall into groups"
                                    .formatted(replicas)
                            + " that never hear of each other");
        }
        require(
                gossip.mixing() != Mixing.PUSH_SUM || gossip.payload() == Payload.WEIGHTS,
                "topology/payload",
                "must be weights for push-sum, which moves these with their mass");
        require(
                gossip.globalAverageEvery() == 0 || gossip.mixing() != Mixing.PUSH_SUM,
                "topology/globalAverageEvery",
                "must be 0 for push-sum, whose weights and mass would have to be averaged alike");
        require(
                gossip.mixing() != Mixing.PUSH_SUM
                        || !(gossip.schedule() instanceof Partners.Linear(boolean literalPairing))
                        || !literalPairing,
                "topology/schedule/literalPairing",
                "must be false for push-sum, which tells one partner alone");
        if (gossip.mixing() == Mixing.METROPOLIS) {
            requireShares();
        }
        if (gossip.payload() == Payload.GRADIENT
                && method.synchronization() instanceof LocalSgd local) {
            require(
                    local.order() == Order.STEP_THEN_AVERAGE && local.momentum() == Momentum.LOCAL,
                    "synchronization",
                    "must have its usual order and momentum where gradients are exchanged: nothing"
                            + " is averaged before or after the step");
        }
        if (gossip.mixing() == Mixing.PUSH_SUM
                && method.synchronization() instanceof LocalSgd local) {
            require(
                    local.order() == Order.STEP_THEN_AVERAGE && local.momentum() == Momentum.LOCAL,
                    "synchronization",
                    "must have its usual order and momentum for push-sum");
        }
    }

    /** Of functional shares nobody knows before the run is placed. */
    private void requireShares() {
        require(
                !(configuration.partitioning() instanceof Partitioning.BatchCounts(var counts))
                        || Partitioner.inProportion(configuration.dataset().limit(), counts)
                                .stream()
                                .allMatch(share -> share > 0),
                "topology/mixing",
                "must not be metropolis where a replica has no samples, by which each would count");
    }

    private static int gcd(int one, int other) {
        return BigInteger.valueOf(one).gcd(BigInteger.valueOf(other)).intValue();
    }

    private void checkCompression() {
        Compression compression = method.compression();
        if (compression instanceof Compression.None) {
            return;
        }
        if (compression instanceof Compression.Qsgd qsgd
                && qsgd.errorFeedback()
                && isNoContraction(qsgd)) {
            note(
                    "compression/bucket",
                    "must be less than the levels squared, %d, under error feedback, or what is left"
                                    .formatted(qsgd.levels() * qsgd.levels())
                            + " out grows without bound");
        }
        if (compression instanceof Compression.SampledRows rows) {
            checkSampled(rows);
        }
        switch (method.topology()) {
            case Topology.AllReduce allReduce -> checkCompressed(allReduce);
            case Topology.ParameterServer _ -> checkCompressedAtServer();
            case Gossip gossip -> checkCompressed(gossip);
        }
    }

    private void checkSampled(Compression.SampledRows rows) {
        require(
                configuration.architecture().isLanguageModel(),
                "compression",
                "must be used with a network that begins with an embedding and ends in a score for"
                        + " each word");
        require(
                !(method.topology() instanceof Gossip gossip
                        && gossip.payload() == Payload.WEIGHTS),
                "topology/payload",
                "must be update or gradient with sampled-rows: the words of a round tell where these"
                        + " are not zero, but not where weights differ");
        require(
                !(method.synchronization() instanceof LocalSgd local
                        && local.order() == Order.AVERAGE_THEN_STEP),
                "synchronization/order",
                "must be step-then-average with sampled-rows: an average before the step has nothing"
                        + " of the words of its round yet");
        if (rows.followLinks()) {
            checkFollowsLinks(rows);
        }
    }

    private void checkFollowsLinks(Compression.SampledRows rows) {
        require(
                !(method.topology() instanceof Topology.AllReduce),
                "compression/followLinks",
                "must be false over an all-reduce, to which all ranks must bring the same rows");
        require(
                rows.errorFeedback(),
                "compression/followLinks",
                "must be false without error feedback: what the replicas behind slow links leave out"
                        + " would be lost, and they would count for less");
        require(
                !configuration.followsLinks()
                        || configuration.ranks() <= LinkProfiling.MOST_WORKERS,
                "compression/followLinks",
                "must be false for more than %d ranks, as every link between them is measured"
                        .formatted(LinkProfiling.MOST_WORKERS));
    }

    private static boolean isNoContraction(Compression.Qsgd qsgd) {
        return qsgd.bucket() >= qsgd.levels() * qsgd.levels();
    }

    private void checkCompressed(Topology.AllReduce allReduce) {
        if (method.compression().isLinear()) {
            return;
        }
        require(
                allReduce.algorithm() == Topology.Algorithm.RING,
                "topology/algorithm",
                "must be ring with this codec: its frames cannot be summed on the way, and go round"
                        + " to all");
        require(
                allReduce.order() == Topology.Order.BY_RANK,
                "topology/order",
                "must be by-rank with a codec whose frames go round to all");
    }

    private void checkCompressedAtServer() {
        require(
                !(method.compression() instanceof Compression.PowerSgd),
                "compression",
                "must not be power-sgd at servers, which each have a part of the gradient: its"
                        + " factors are of whole layers");
    }

    private void checkCompressed(Gossip gossip) {
        Compression compression = method.compression();
        require(
                !(compression instanceof Compression.PowerSgd),
                "compression",
                "must not be power-sgd over gossip: its factors are means over all replicas");
        require(
                gossip.mixing() != Mixing.PUSH_SUM,
                "compression",
                "must be none for push-sum: what a codec leaves out would be lost mass");
        if (gossip.payload() == Payload.WEIGHTS && gossip.mixing() != Mixing.PUSH_SUM) {
            require(
                    gossip.schedule() instanceof Partners.Fixed,
                    "topology/schedule",
                    "must be fixed where weights are coded: each keeps a copy of what its"
                            + " neighbours have told, and with partners that rotate would keep one"
                            + " of every replica");
            require(
                    !compression.errorFeedback(),
                    "compression/errorFeedback",
                    "must be false where weights are coded: what is left out stays in the difference"
                            + " to what the neighbours know");
            require(
                    !(compression instanceof Compression.RandomK)
                            && !(compression instanceof Compression.Qsgd qsgd
                                    && isNoContraction(qsgd)),
                    "compression",
                    "must be a contraction where weights are coded: scaled random-k is none, nor is"
                            + " qsgd unless its bucket is less than its levels squared");
        }
    }

    private void checkExecution() {
        if (configuration.record()) {
            checkRecord();
        }
        if (!(configuration.execution() instanceof Execution.Virtual virtual)) {
            return;
        }
        int replicas = configuration.workers().replicas();
        require(
                virtual.speeds().size() <= replicas,
                "execution",
                "must have no more speeds than there are replicas, %d".formatted(replicas));
        require(
                configuration.channel() == ChannelKind.DIRECT,
                "channel",
                "must be direct, which is the default, in a virtual run, which has no channel");
        if (method.topology() instanceof Topology.AllReduce(var algorithm, var order)) {
            require(
                    algorithm != Topology.Algorithm.HIERARCHICAL,
                    "topology/algorithm",
                    "must not be hierarchical in a virtual run, whose ranks are on no machines");
            require(
                    order == Topology.Order.BY_RANK,
                    "topology/order",
                    "must be by-rank in a virtual run, whose links are given, not measured");
        }
    }

    private void checkRecord() {
        require(
                configuration.execution() instanceof Execution.Real,
                "record",
                "must be false unless the execution is real: all others are the same each time");
        require(
                !(method.topology() instanceof Topology.AllReduce(var algorithm, var _))
                        || algorithm != Topology.Algorithm.HIERARCHICAL,
                "record",
                "must be false over a hierarchical all-reduce, as a replay has not the machines");
    }

    private void require(boolean kept, String path, String rule) {
        if (!kept) {
            note(path, rule);
        }
    }

    private void note(String path, String rule) {
        root.note(path, rule);
    }
}
