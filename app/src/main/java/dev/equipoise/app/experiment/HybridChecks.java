package dev.equipoise.app.experiment;

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

/** Hidden units that are shared as well: what that wants of all else. */
final class HybridChecks {

    private static final String NODE_PARALLEL = "partitioning/nodeParallel";

    private final Choices choices;
    private final RunConfiguration configuration;

    HybridChecks(Choices choices) {
        this.choices = choices;
        this.configuration = choices.configuration();
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
        choices.require(
                configuration.synchronization() instanceof Synchronization.Bsp,
                "synchronization",
                "must be bsp with hybrid partitioning: no rank has a network of its own to go on"
                        + " with");
        choices.require(
                configuration.topology() instanceof Topology.AllReduce,
                "topology",
                "must be all-reduce with hybrid partitioning, whose groups sum among themselves");
        if (configuration.topology() instanceof Topology.AllReduce(var algorithm, var order)) {
            choices.require(
                    CostModel.CHOICES.contains(algorithm),
                    "topology/algorithm",
                    "must not be hierarchical or auto with hybrid partitioning, whose groups are"
                            + " formed by what one algorithm takes");
            choices.require(
                    order == Topology.Order.BY_RANK,
                    "topology/order",
                    "must be by-rank with hybrid partitioning, which has no ring of all ranks");
        }
        choices.require(
                configuration.compression() instanceof Compression.None,
                "compression",
                "must be none with hybrid partitioning: what a group sums are outputs, of which"
                        + " nothing may be left out");
    }

    private void checkTraining() {
        choices.require(
                !(configuration.training().optimizer().clipping() instanceof Clipping.Norm),
                "training/optimizer/clipping",
                "must not be norm with hybrid partitioning: each rank would have the norm of its"
                        + " own hidden units");
        choices.require(
                !configuration.record(),
                "record",
                "must be false with hybrid partitioning, which leaves nothing to chance");
    }

    private void checkExecution() {
        choices.require(
                !(configuration.execution() instanceof Execution.Replay),
                "execution",
                "must not be replay with hybrid partitioning, of which no order is recorded");
        choices.require(
                configuration.channel() == ChannelKind.DIRECT,
                "channel",
                "must be direct with hybrid partitioning, as that is where sums are measured");
        choices.require(
                configuration.heterogeneity().links().isEmpty(),
                "heterogeneity/links",
                "must be empty with hybrid partitioning, whose groups are formed for the links as"
                        + " they are");
        int replicas = configuration.workers().replicas();
        choices.require(
                replicas > 1,
                "workers/replicas",
                "must be at least 2 with hybrid partitioning, which is for groups");
        choices.require(
                replicas <= LinkProfiling.MOST_WORKERS,
                "workers/replicas",
                "must be at most %d with hybrid partitioning: between more no sums are measured, and no shares are sought"
                        .formatted(LinkProfiling.MOST_WORKERS));
    }

    private void checkNetwork(OptionalInt nodeParallel) {
        try {
            OptionalInt hidden = configuration.architecture().sigmoidUnits();
            choices.require(
                    hidden.isPresent(),
                    "network",
                    "must be a perceptron with hybrid partitioning, of one hidden layer and that of"
                            + " sigmoids");
            hidden.ifPresent(units -> checkGroups(nodeParallel, units));
        } catch (LayerMismatch _) {
            // Told with the network.
            return;
        }
    }

    private void checkGroups(OptionalInt nodeParallel, int hidden) {
        int replicas = configuration.workers().replicas();
        if (nodeParallel.isEmpty()) {
            choices.require(
                    IntStream.rangeClosed(1, replicas)
                            .anyMatch(it -> replicas % it == 0 && fits(it, hidden)),
                    NODE_PARALLEL,
                    "must leave a way to form groups: %d replicas have no divisor of at most %d hidden units that makes no more groups than the %d samples of a round"
                            .formatted(replicas, hidden, configuration.samplesOfRound()));
            return;
        }
        int members = nodeParallel.getAsInt();
        choices.require(
                replicas % members == 0,
                NODE_PARALLEL,
                "must be a divisor of the number of replicas, %d".formatted(replicas));
        choices.require(
                members <= hidden,
                NODE_PARALLEL,
                "must be at most the number of hidden units, %d".formatted(hidden));
        choices.require(
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
