package dev.equipoise.app.allocation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.app.configuration.Environment;
import dev.equipoise.app.configuration.Instrumentation;
import dev.equipoise.app.configuration.Parallelism;
import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.configuration.Scheduling;
import dev.equipoise.app.configuration.Workload;
import dev.equipoise.app.run.RankAllocation;
import dev.equipoise.app.worker.Cordon;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.app.worker.WorkerState;
import dev.equipoise.performance.partition.SpeedFunction;
import dev.equipoise.protocol.ChannelKind;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.Execution.Speed;
import dev.equipoise.protocol.HostDescription;
import dev.equipoise.protocol.Observation;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.Partitioning;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.WorkerId;
import dev.equipoise.protocol.dataset.Normalization;
import dev.equipoise.protocol.dataset.PublishedSpec;
import dev.equipoise.protocol.network.Loss;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Uses 1200 samples in mini-batches of 10. */
class AllocatorTest {

    private static final Partitioning EQUAL = new Partitioning.Equal();
    private static final Partitioning FUNCTIONAL =
            new Partitioning.Functional(
                    Partitioning.Model.PIECEWISE,
                    Partitioning.Solver.GEOMETRIC,
                    Partitioning.ShareRounding.LARGEST_REMAINDER,
                    Partitioning.Extent.FULL);
    private static final Topology RING = Topology.AllReduce.by(Topology.Algorithm.RING);
    private static final Topology SERVED =
            new Topology.ParameterServer(2, false, Topology.Aggregate.MEAN);
    private static final Execution REAL = new Execution.Real();

    private static LabWorker worker(int number) {
        return new LabWorker(
                WorkerId.of(new UUID(0, number)),
                "worker-" + number,
                WorkerState.IDLE,
                Cordon.OPEN,
                new HostDescription("host", 1, 1, 1L << 33, "Linux", "oneDNN", 1),
                Map.of(),
                "address",
                Set.of(),
                Instant.EPOCH,
                Instant.EPOCH);
    }

    private static List<LabWorker> workers(int count) {
        return IntStream.range(0, count).mapToObj(AllocatorTest::worker).toList();
    }

    private static RunConfiguration wants(
            int replicas,
            Partitioning partitioning,
            Topology topology,
            Execution execution,
            Map<Integer, Double> slowDown) {
        return new RunConfiguration(
                "equipoise/v1",
                "test",
                new Workload(
                        new PublishedSpec.Mnist(new Normalization.Unit(), 1200),
                        new Workload.Network("mnist-cnn", null, null),
                        new Workload.Training(
                                1,
                                10,
                                new Loss(Loss.Kind.SOFTMAX_CROSS_ENTROPY, Loss.Reduction.MEAN),
                                new OptimizerSpec.Sgd(0.05))),
                new Parallelism(
                        new Parallelism.WantedWorkers(replicas, Map.of()),
                        partitioning,
                        new Synchronization.Bsp(),
                        topology,
                        new Compression.None(),
                        ChannelKind.DIRECT),
                new Environment(new Environment.Heterogeneity(List.of(), slowDown, 1), execution),
                new Instrumentation(
                        new Instrumentation.Evaluation(1, Observation.Replicas.LAST), false, false),
                Scheduling.UNINTERRUPTED,
                1,
                null);
    }

    private static Execution virtual(Speed... speeds) {
        return new Execution.Virtual(List.of(speeds), 0, new Execution.Link(50, 1000));
    }

    private static Allocator allocator(
            RunConfiguration configuration,
            List<LabWorker> workers,
            Function<WorkerId, Optional<SpeedFunction>> speeds,
            Optional<List<Integer>> repeated) {
        return new Allocator(
                new RankSpeeds(configuration, workers, (worker, _) -> speeds.apply(worker.id())),
                repeated);
    }

    /** Worker i takes i + 1 ms a sample. */
    private static Optional<SpeedFunction> byNumber(WorkerId worker) {
        return Optional.of(linear(0.001 * (worker.value().getLeastSignificantBits() + 1)));
    }

    private static SpeedFunction linear(double secondsPerSample) {
        return SpeedFunction.piecewise(List.of(new SpeedFunction.Point(1, secondsPerSample)));
    }

    private static List<Integer> shares(Allocator allocator) {
        return allocator.allocations().stream().map(RankAllocation::share).toList();
    }

    @Test
    void eachRankHasItsOwnWorker() {
        var allocator =
                allocator(
                        wants(3, EQUAL, RING, REAL, Map.of()),
                        workers(3),
                        _ -> Optional.empty(),
                        Optional.empty());

        assertThat(allocator.allocations())
                .extracting(
                        RankAllocation::worker,
                        RankAllocation::workerName,
                        RankAllocation::share,
                        RankAllocation::stepSeconds)
                .containsExactly(
                        tuple(worker(0).id(), "worker-0", 400, null),
                        tuple(worker(1).id(), "worker-1", 400, null),
                        tuple(worker(2).id(), "worker-2", 400, null));
        assertThat(allocator.measuredSpeeds()).isEmpty();
    }

    @Test
    void replayHasTheSharesOfTheRecordedRun() {
        var allocator =
                allocator(
                        wants(
                                2,
                                EQUAL,
                                SERVED,
                                new Execution.Replay(RunId.of(new UUID(0, 1))),
                                Map.of()),
                        workers(1),
                        AllocatorTest::byNumber,
                        Optional.of(List.of(0, 0, 200, 1000)));

        assertThat(shares(allocator)).containsExactly(0, 0, 200, 1000);
    }

    @Test
    void parameterServersHaveNoShare() {
        var allocator =
                allocator(
                        wants(2, EQUAL, SERVED, REAL, Map.of()),
                        workers(4),
                        AllocatorTest::byNumber,
                        Optional.empty());

        assertThat(shares(allocator)).containsExactly(0, 0, 600, 600);
        assertThat(allocator.allocations().getFirst().stepSeconds()).isNull();
    }

    @Test
    void functionalSharesDivideAmongReplicas() {
        var allocator =
                allocator(
                        wants(2, FUNCTIONAL, SERVED, REAL, Map.of()),
                        workers(4),
                        AllocatorTest::byNumber,
                        Optional.empty());

        assertThat(shares(allocator)).containsExactly(0, 0, 686, 514);
    }

    @Test
    void functionalSharesFollowSlowedSpeeds() {
        RunConfiguration slowed = wants(2, FUNCTIONAL, RING, REAL, Map.of(0, 4.0));

        var allocator = allocator(slowed, workers(2), AllocatorTest::byNumber, Optional.empty());

        assertThat(shares(allocator)).containsExactly(400, 800);
        assertThat(allocator.allocations().get(0).stepSeconds())
                .isCloseTo(400 / 60.0 * 0.004, within(1e-12));
        assertThat(allocator.allocations().get(1).stepSeconds())
                .isCloseTo(800 / 60.0 * 0.002, within(1e-12));
    }

    /** The first worker is twice as fast, but its memory holds only 12 samples of a round. */
    @Test
    void memoryBoundsLimitFunctionalShares() {
        List<LabWorker> workers =
                List.of(withMemory(workers(1).getFirst(), 41_700_000), workers(2).getLast());
        RunConfiguration wanted = wants(2, FUNCTIONAL, RING, REAL, Map.of());

        var allocator = allocator(wanted, workers, AllocatorTest::byNumber, Optional.empty());

        assertThat(MemoryEstimate.work(wanted, workers).most().getFirst()).isEqualTo(12);
        assertThat(shares(allocator)).containsExactly(12 * 60, 480);
    }

    /** Dynamic load balancing must respect the same bounds later. */
    @Test
    void eachAllocationHasItsMemoryBound() {
        List<LabWorker> workers =
                List.of(withMemory(workers(1).getFirst(), 41_700_000), workers(2).getLast());
        RunConfiguration wanted = wants(2, new Partitioning.Dynamic(0.05), RING, REAL, Map.of());

        var allocator = allocator(wanted, workers, _ -> Optional.empty(), Optional.empty());

        assertThat(allocator.allocations().getFirst().room()).isEqualTo(12);
        assertThat(allocator.allocations().getLast().room()).isGreaterThan(1200);
    }

    private static LabWorker withMemory(LabWorker worker, long bytes) {
        return new LabWorker(
                worker.id(),
                worker.name(),
                worker.state(),
                worker.cordon(),
                new HostDescription("small", 1, 1, bytes, "Linux", "oneDNN", 1),
                worker.labels(),
                worker.clusterAddress(),
                worker.sees(),
                worker.joinedAt(),
                worker.lastSeenAt());
    }

    @Test
    void constantSharesFollowSpecifiedSpeeds() {
        RunConfiguration specified =
                wants(3, new Partitioning.Constant(List.of(1.01, 1.0, 2.31)), RING, REAL, Map.of());

        var allocator = allocator(specified, workers(3), _ -> Optional.empty(), Optional.empty());

        assertThat(specified.wantsSpeeds()).isFalse();
        assertThat(shares(allocator)).containsExactly(280, 278, 642);
    }

    @ParameterizedTest
    @EnumSource
    void sharesOfEachModelTakeEqualTimes(Partitioning.Model model) {
        RunConfiguration modeled =
                wants(
                        2,
                        new Partitioning.Functional(
                                model,
                                Partitioning.Solver.NUMERICAL,
                                Partitioning.ShareRounding.MINIMAX,
                                Partitioning.Extent.FULL),
                        RING,
                        REAL,
                        Map.of(1, 3.0));
        SpeedFunction line =
                SpeedFunction.piecewise(
                        IntStream.rangeClosed(1, 6)
                                .mapToObj(i -> new SpeedFunction.Point(4 * i, 0.002 * i))
                                .toList());

        var allocator = allocator(modeled, workers(2), _ -> Optional.of(line), Optional.empty());

        assertThat(shares(allocator)).containsExactly(900, 300);
    }

    @Test
    void sharesAndStepTimesFollowBatchCounts() {
        RunConfiguration counted =
                wants(3, new Partitioning.BatchCounts(List.of(1, 1, 2)), RING, REAL, Map.of());
        SpeedFunction speed =
                SpeedFunction.piecewise(
                        List.of(
                                new SpeedFunction.Point(10, 0.02),
                                new SpeedFunction.Point(20, 0.03)));

        var allocator = allocator(counted, workers(3), _ -> Optional.of(speed), Optional.empty());

        assertThat(shares(allocator)).containsExactly(300, 300, 600);
        assertThat(allocator.allocations().get(0).stepSeconds()).isCloseTo(0.02, within(1e-12));
        assertThat(allocator.allocations().get(2).stepSeconds()).isCloseTo(0.04, within(1e-12));
    }

    @Test
    void virtualRunHasAllRanksOnOneWorkerWithSpecifiedSpeeds() {
        RunConfiguration specified =
                wants(3, FUNCTIONAL, RING, virtual(Speed.of(100), Speed.of(300)), Map.of(2, 2.0));

        var allocator = allocator(specified, workers(1), _ -> Optional.empty(), Optional.empty());

        assertThat(allocator.allocations())
                .extracting(RankAllocation::worker)
                .containsOnly(worker(0).id());
        assertThat(shares(allocator)).containsExactly(267, 800, 133);
        assertThat(allocator.measuredSpeeds()).isEmpty();
    }

    @Test
    void specifiedSpeedsApplyToReplicasNotServers() {
        RunConfiguration specified =
                wants(2, FUNCTIONAL, SERVED, virtual(Speed.of(100), Speed.of(300)), Map.of());

        var allocator = allocator(specified, workers(1), _ -> Optional.empty(), Optional.empty());

        assertThat(shares(allocator)).containsExactly(0, 0, 300, 900);
        assertThat(specified.executionByRank())
                .isEqualTo(virtual(Speed.of(100), Speed.of(100), Speed.of(100), Speed.of(300)));
    }

    @Test
    void virtualRunWithoutSpeedsUsesSpeedOfItsWorker() {
        RunConfiguration unspecified =
                wants(3, FUNCTIONAL, SERVED, virtual(), Map.of(3, 2.0, 4, 2.0));

        var allocator =
                allocator(unspecified, workers(1), AllocatorTest::byNumber, Optional.empty());

        assertThat(shares(allocator)).containsExactly(0, 0, 600, 300, 300);
        assertThat(allocator.measuredSpeeds())
                .containsExactly(new Speed(List.of(new Execution.Point(1, 0.001))));
    }
}
