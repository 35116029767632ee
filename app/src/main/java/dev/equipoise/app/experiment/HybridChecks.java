package dev.equipoise.app.experiment;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.performance.cost.CostModel;
import dev.equipoise.protocol.Assignment.LinkProfiling;
import dev.equipoise.protocol.ChannelKind;
import dev.equipoise.protocol.Clipping;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.Partitioning;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.network.LayerMismatch;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/** Checks what hybrid partitioning requires of the other choices. */
final class HybridChecks {

    private static final String NODE_PARALLEL = "partitioning/nodeParallel";

    private final ValidationContext context;
    private final RunConfiguration configuration;

    HybridChecks(ValidationContext context) {
        this.context = context;
        this.configuration = context.configuration();
    }

    void check() {
        if (configuration.partitioning() instanceof Partitioning.Hybrid(var nodeParallel, var _)) {
            checkMethod();
            checkTraining();
            checkExecution();
            checkNetwork(nodeParallel == null ? OptionalInt.empty() : OptionalInt.of(nodeParallel));
        }
    }

    private void checkMethod() {
        context.require(
                configuration.synchronization() instanceof Synchronization.Bsp,
                "synchronization",
                "must be bsp with hybrid partitioning: no rank has a complete network"
                        + " of its own");
        context.require(
                configuration.topology() instanceof Topology.AllReduce,
                "topology",
                "must be all-reduce with hybrid partitioning, whose groups use all-reduces");
        if (configuration.topology() instanceof Topology.AllReduce(var algorithm, var order)) {
            context.require(
                    CostModel.CHOICES.contains(algorithm),
                    "topology/algorithm",
                    "must not be hierarchical or auto with hybrid partitioning: groups are formed"
                            + " by the time of one algorithm");
            context.require(
                    order == Topology.RingOrder.BY_RANK,
                    "topology/order",
                    "must be by-rank with hybrid partitioning, which has no ring of all ranks");
        }
        context.require(
                configuration.compression() instanceof Compression.None,
                "compression",
                "must be none with hybrid partitioning: groups sum outputs, of which nothing may"
                        + " be omitted");
    }

    private void checkTraining() {
        context.require(
                !(configuration.training().optimizer().clipping() instanceof Clipping.Norm),
                "training/optimizer/clipping",
                "must not be norm with hybrid partitioning: each rank would use the norm of its"
                        + " own hidden units");
        context.require(
                !configuration.instrumentation().record(),
                "record",
                "must be false with hybrid partitioning, which is deterministic");
    }

    private void checkExecution() {
        context.require(
                !(configuration.execution() instanceof Execution.Replay),
                "execution",
                "must not be replay with hybrid partitioning, which cannot be recorded");
        context.require(
                configuration.channel() == ChannelKind.DIRECT,
                "channel",
                "must be direct with hybrid partitioning, since all-reduces are measured there");
        context.require(
                configuration.heterogeneity().links().isEmpty(),
                "heterogeneity/links",
                "must be empty with hybrid partitioning, whose groups are formed for the measured"
                        + " links");
        int replicas = configuration.workers().replicas();
        context.require(
                replicas > 1, "workers/replicas", "must be at least 2 with hybrid partitioning");
        context.require(
                replicas <= LinkProfiling.MAX_WORKERS,
                "workers/replicas",
                "must be at most %d with hybrid partitioning, the maximum for measuring all-reduces and computing shares"
                        .formatted(LinkProfiling.MAX_WORKERS));
    }

    private void checkNetwork(OptionalInt nodeParallel) {
        try {
            OptionalInt hidden = configuration.architecture().sigmoidUnits();
            context.require(
                    hidden.isPresent(),
                    "network",
                    "must be a perceptron with hybrid partitioning, with one hidden layer of"
                            + " sigmoids");
            hidden.ifPresent(units -> checkGroups(nodeParallel, units));
        } catch (LayerMismatch _) {
            // NetworkReader reports the mismatch.
            return;
        }
    }

    private void checkGroups(OptionalInt nodeParallel, int hidden) {
        int replicas = configuration.workers().replicas();
        if (nodeParallel.isEmpty()) {
            context.require(
                    IntStream.rangeClosed(1, replicas)
                            .anyMatch(it -> replicas % it == 0 && fits(it, hidden)),
                    NODE_PARALLEL,
                    "must allow forming groups: %d replicas have no divisor of at most %d hidden units that makes no more groups than the %d samples of a round"
                            .formatted(replicas, hidden, configuration.samplesOfRound()));
            return;
        }
        int members = nodeParallel.getAsInt();
        context.require(
                replicas % members == 0,
                NODE_PARALLEL,
                "must be a divisor of the number of replicas, %d".formatted(replicas));
        context.require(
                members <= hidden,
                NODE_PARALLEL,
                "must be at most the number of hidden units, %d".formatted(hidden));
        context.require(
                replicas / members <= configuration.samplesOfRound(),
                NODE_PARALLEL,
                "must make no more groups than a round has samples, %d"
                        .formatted(configuration.samplesOfRound()));
    }

    private boolean fits(int members, int hidden) {
        return members <= hidden
                && configuration.workers().replicas() / members <= configuration.samplesOfRound();
    }
}
