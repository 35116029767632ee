package dev.equipoise.app.schedule;

import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.app.run.RunQueue.Queued;
import dev.equipoise.app.worker.Cordon;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.app.worker.WorkerState;
import dev.equipoise.protocol.ChannelKind;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.HostDescription;
import dev.equipoise.protocol.Observation;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.Partitioning;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.WorkerId;
import dev.equipoise.protocol.dataset.DatasetSpec;
import dev.equipoise.protocol.dataset.Normalisation;
import dev.equipoise.protocol.network.Loss;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Workers and the runs that want them. */
final class TestingPlacement {

    static final Partitioning EQUAL = new Partitioning.Equal();
    static final Partitioning FUNCTIONAL =
            new Partitioning.Functional(
                    Partitioning.Model.PIECEWISE,
                    Partitioning.Solver.GEOMETRIC,
                    Partitioning.Rounding.LARGEST_REMAINDER,
                    Partitioning.Extent.FULL);

    private TestingPlacement() {}

    private static WorkerId id(int number) {
        return WorkerId.of(new UUID(0, number));
    }

    static LabWorker worker(int number, WorkerState state, Map<String, String> labels) {
        return worker(number, state, labels, IntStream.range(0, 10).boxed().toList());
    }

    static LabWorker worker(
            int number, WorkerState state, Map<String, String> labels, List<Integer> sees) {
        return worker(
                number,
                new HostDescription("host", 1, 1, 1L << 33, "Linux", "oneDNN", 1),
                state,
                labels,
                sees);
    }

    static LabWorker worker(
            int number,
            HostDescription host,
            WorkerState state,
            Map<String, String> labels,
            List<Integer> sees) {
        return new LabWorker(
                id(number),
                "worker-" + number,
                state,
                Cordon.OPEN,
                host,
                labels,
                "address",
                sees.stream().map(TestingPlacement::id).collect(Collectors.toSet()),
                Instant.EPOCH,
                Instant.EPOCH);
    }

    /** The same, but for what an administrator says of it. */
    static LabWorker cordoned(LabWorker worker) {
        return cordoned(worker, Cordon.CORDONED);
    }

    static LabWorker cordoned(LabWorker worker, Cordon cordon) {
        return new LabWorker(
                worker.id(),
                worker.name(),
                worker.state(),
                cordon,
                worker.host(),
                worker.labels(),
                worker.clusterAddress(),
                worker.sees(),
                worker.joinedAt(),
                worker.lastSeenAt());
    }

    static RunConfiguration wants(
            int replicas, Map<String, String> selector, Partitioning partitioning) {
        return wants(
                replicas, selector, partitioning, Topology.AllReduce.by(Topology.Algorithm.RING));
    }

    static RunConfiguration wants(
            int replicas,
            Map<String, String> selector,
            Partitioning partitioning,
            Topology topology) {
        return wants(replicas, selector, partitioning, topology, new Execution.Real());
    }

    static RunConfiguration wants(
            int replicas,
            Map<String, String> selector,
            Partitioning partitioning,
            Topology topology,
            Execution execution) {
        return new RunConfiguration(
                "equipoise/v1",
                "test",
                new DatasetSpec.Mnist(new Normalisation.Unit(), 60_000),
                new RunConfiguration.Network("mnist-cnn", null, null),
                new RunConfiguration.Training(
                        1,
                        64,
                        new Loss(Loss.Kind.SOFTMAX_CROSS_ENTROPY, Loss.Reduction.MEAN),
                        new OptimizerSpec.Sgd(0.05)),
                new RunConfiguration.Workers(replicas, selector),
                partitioning,
                new Synchronization.Bsp(),
                topology,
                new Compression.None(),
                ChannelKind.DIRECT,
                new RunConfiguration.Heterogeneity(List.of(), Map.of(), 1),
                execution,
                new RunConfiguration.Evaluation(1, Observation.Replicas.LAST),
                false,
                false,
                1);
    }

    static RunConfiguration virtual(int replicas, List<Execution.Speed> speeds) {
        return wants(
                replicas,
                Map.of(),
                EQUAL,
                Topology.AllReduce.by(Topology.Algorithm.RING),
                new Execution.Virtual(speeds, 0, new Execution.Link(50, 1000)));
    }

    /** A run of one replica, the older the lower its number. */
    static Queued queued(int number, UUID project, int priority) {
        return queued(number, project, priority, wants(1, Map.of(), EQUAL));
    }

    static Queued queued(int number, UUID project, int priority, RunConfiguration configuration) {
        return new Queued(
                RunId.of(new UUID(3, number)),
                project,
                configuration,
                priority,
                null,
                null,
                Instant.EPOCH.plusSeconds(number),
                null);
    }

    static RunConfiguration atLeast(int minimum, RunConfiguration other) {
        return changed(
                other,
                new RunConfiguration.Workers(
                        other.workers().replicas(), minimum, other.workers().selector()),
                other.heterogeneity());
    }

    static RunConfiguration slowed(RunConfiguration other, Map<Integer, Double> slowDown) {
        return changed(
                other, other.workers(), new RunConfiguration.Heterogeneity(List.of(), slowDown, 1));
    }

    private static RunConfiguration changed(
            RunConfiguration other,
            RunConfiguration.Workers workers,
            RunConfiguration.Heterogeneity heterogeneity) {
        return new RunConfiguration(
                other.apiVersion(),
                other.name(),
                other.dataset(),
                other.network(),
                other.training(),
                workers,
                other.partitioning(),
                other.synchronization(),
                other.topology(),
                other.compression(),
                other.channel(),
                heterogeneity,
                other.execution(),
                other.evaluation(),
                other.trace(),
                other.record(),
                other.seed());
    }
}
