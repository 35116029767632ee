package dev.equipoise.app.schedule;

import dev.equipoise.app.configuration.Environment;
import dev.equipoise.app.configuration.Instrumentation;
import dev.equipoise.app.configuration.Parallelism;
import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.configuration.Scheduling;
import dev.equipoise.app.configuration.Workload;
import dev.equipoise.app.queue.QueuedRun;
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
import dev.equipoise.protocol.dataset.Normalization;
import dev.equipoise.protocol.dataset.OwnSpec;
import dev.equipoise.protocol.dataset.PublishedSpec;
import dev.equipoise.protocol.network.Loss;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Creates workers and configurations of runs for placement tests. */
public final class TestingPlacement {

    public static final Partitioning EQUAL = new Partitioning.Equal();
    public static final Partitioning FUNCTIONAL =
            new Partitioning.Functional(
                    Partitioning.Model.PIECEWISE,
                    Partitioning.Solver.GEOMETRIC,
                    Partitioning.ShareRounding.LARGEST_REMAINDER,
                    Partitioning.Extent.FULL);

    private TestingPlacement() {}

    private static WorkerId id(int number) {
        return WorkerId.of(new UUID(0, number));
    }

    public static LabWorker worker(int number, WorkerState state, Map<String, String> labels) {
        return worker(number, state, labels, IntStream.range(0, 10).boxed().toList());
    }

    public static LabWorker worker(
            int number, WorkerState state, Map<String, String> labels, List<Integer> sees) {
        return worker(
                number,
                new HostDescription("host", 1, 1, 1L << 33, "Linux", "oneDNN", 1),
                state,
                labels,
                sees);
    }

    public static LabWorker worker(
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

    /** The worker with these data folders; null of an agent that does not report them. */
    static LabWorker withFolders(LabWorker worker, @Nullable List<String> folders) {
        return new LabWorker(
                worker.id(),
                worker.name(),
                worker.state(),
                worker.cordon(),
                worker.host(),
                worker.agentVersion(),
                worker.labels(),
                worker.clusterAddress(),
                worker.sees(),
                worker.load(),
                worker.coolingUntil(),
                worker.joinedAt(),
                worker.lastSeenAt(),
                folders);
    }

    /** A configuration with the user's own data in a folder. */
    static RunConfiguration wantsFolder(int replicas, String folder) {
        RunConfiguration published = wants(replicas, Map.of(), EQUAL);
        return new RunConfiguration(
                published.apiVersion(),
                published.name(),
                new Workload(
                        new OwnSpec.Csv(folder, 2, 2, 100, new Normalization.Unit(), 100),
                        published.network(),
                        published.training()),
                published.parallelism(),
                published.environment(),
                published.instrumentation(),
                published.scheduling(),
                published.seed(),
                published.automatic());
    }

    /** The worker with the cordon {@code CORDONED}. */
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

    public static RunConfiguration wants(
            int replicas, Map<String, String> selector, Partitioning partitioning) {
        return wants(
                replicas, selector, partitioning, Topology.AllReduce.by(Topology.Algorithm.RING));
    }

    public static RunConfiguration wants(
            int replicas,
            Map<String, String> selector,
            Partitioning partitioning,
            Topology topology) {
        return wants(replicas, selector, partitioning, topology, new Execution.Real());
    }

    public static RunConfiguration wants(
            int replicas,
            Map<String, String> selector,
            Partitioning partitioning,
            Topology topology,
            Execution execution) {
        return new RunConfiguration(
                "equipoise/v1",
                "test",
                new Workload(
                        new PublishedSpec.Mnist(new Normalization.Unit(), 60_000),
                        new Workload.Network("mnist-cnn", null, null),
                        new Workload.Training(
                                1,
                                64,
                                new Loss(Loss.Kind.SOFTMAX_CROSS_ENTROPY, Loss.Reduction.MEAN),
                                new OptimizerSpec.Sgd(0.05))),
                new Parallelism(
                        new Parallelism.WantedWorkers(replicas, selector),
                        partitioning,
                        new Synchronization.Bsp(),
                        topology,
                        new Compression.None(),
                        ChannelKind.DIRECT),
                new Environment(new Environment.Heterogeneity(List.of(), Map.of(), 1), execution),
                new Instrumentation(
                        new Instrumentation.Evaluation(1, Observation.Replicas.LAST), false, false),
                Scheduling.UNINTERRUPTED,
                1,
                null);
    }

    public static RunConfiguration virtual(int replicas, List<Execution.Speed> speeds) {
        return wants(
                replicas,
                Map.of(),
                EQUAL,
                Topology.AllReduce.by(Topology.Algorithm.RING),
                new Execution.Virtual(speeds, 0, new Execution.Link(50, 1000)));
    }

    /** A queued run of one replica; a lower number means an older run. */
    static QueuedRun queued(int number, UUID project, int priority) {
        return queued(number, project, priority, wants(1, Map.of(), EQUAL));
    }

    static QueuedRun queued(
            int number, UUID project, int priority, RunConfiguration configuration) {
        return new QueuedRun(
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
        Parallelism parallelism = other.parallelism();
        Parallelism.WantedWorkers workers = other.workers();
        return changed(
                other,
                new Parallelism(
                        new Parallelism.WantedWorkers(
                                workers.replicas(), minimum, workers.selector()),
                        parallelism.partitioning(),
                        parallelism.synchronization(),
                        parallelism.topology(),
                        parallelism.compression(),
                        parallelism.channel()),
                other.environment());
    }

    public static RunConfiguration slowed(RunConfiguration other, Map<Integer, Double> slowDown) {
        return changed(
                other,
                other.parallelism(),
                new Environment(
                        new Environment.Heterogeneity(List.of(), slowDown, 1), other.execution()));
    }

    private static RunConfiguration changed(
            RunConfiguration other, Parallelism parallelism, Environment environment) {
        return new RunConfiguration(
                other.apiVersion(),
                other.name(),
                other.workload(),
                parallelism,
                environment,
                other.instrumentation(),
                other.scheduling(),
                other.seed(),
                other.automatic());
    }
}
