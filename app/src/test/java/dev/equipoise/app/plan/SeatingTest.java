package dev.equipoise.app.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.app.run.Seat;
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
import dev.equipoise.protocol.dataset.DatasetSpec;
import dev.equipoise.protocol.dataset.Normalisation;
import dev.equipoise.protocol.network.Loss;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** On 1200 samples, in mini-batches of 10. */
class SeatingTest {

    private static final Partitioning EQUAL = new Partitioning.Equal();
    private static final Partitioning FUNCTIONAL =
            new Partitioning.Functional(
                    Partitioning.Model.PIECEWISE,
                    Partitioning.Solver.GEOMETRIC,
                    Partitioning.Rounding.LARGEST_REMAINDER,
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
        return IntStream.range(0, count).mapToObj(SeatingTest::worker).toList();
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
                new DatasetSpec.Mnist(new Normalisation.Unit(), 1200),
                new RunConfiguration.Network("mnist-cnn", null, null),
                new RunConfiguration.Training(
                        1,
                        10,
                        new Loss(Loss.Kind.SOFTMAX_CROSS_ENTROPY, Loss.Reduction.MEAN),
                        new OptimizerSpec.Sgd(0.05)),
                new RunConfiguration.Workers(replicas, Map.of()),
                partitioning,
                new Synchronization.Bsp(),
                topology,
                new Compression.None(),
                ChannelKind.DIRECT,
                new RunConfiguration.Heterogeneity(List.of(), slowDown, 1),
                execution,
                new RunConfiguration.Evaluation(1, Observation.Replicas.LAST),
                false,
                false,
                1);
    }

    private static Execution virtual(Speed... speeds) {
        return new Execution.Virtual(List.of(speeds), 0, new Execution.Link(50, 1000));
    }

    /** The first takes a millisecond a sample, the second two, ... */
    private static Optional<SpeedFunction> byNumber(WorkerId worker) {
        return Optional.of(linear(0.001 * (worker.value().getLeastSignificantBits() + 1)));
    }

    private static SpeedFunction linear(double secondsPerSample) {
        return SpeedFunction.piecewise(List.of(new SpeedFunction.Point(1, secondsPerSample)));
    }

    private static List<Integer> shares(Seating seating) {
        return seating.seats().stream().map(Seat::share).toList();
    }

    @Test
    void everyRankHasAWorkerOfItsOwn() {
        var seating =
                new Seating(
                        wants(3, EQUAL, RING, REAL, Map.of()),
                        workers(3),
                        _ -> Optional.empty(),
                        Optional.empty());

        assertThat(seating.seats())
                .extracting(Seat::worker, Seat::workerName, Seat::share, Seat::stepSeconds)
                .containsExactly(
                        tuple(worker(0).id(), "worker-0", 400, null),
                        tuple(worker(1).id(), "worker-1", 400, null),
                        tuple(worker(2).id(), "worker-2", 400, null));
        assertThat(seating.speeds()).isEmpty();
    }

    @Test
    void whatRepeatsAnEarlierRunHasItsShares() {
        var seating =
                new Seating(
                        wants(
                                2,
                                EQUAL,
                                SERVED,
                                new Execution.Replay(RunId.of(new UUID(0, 1))),
                                Map.of()),
                        workers(1),
                        SeatingTest::byNumber,
                        Optional.of(List.of(0, 0, 200, 1000)));

        assertThat(shares(seating)).containsExactly(0, 0, 200, 1000);
    }

    @Test
    void whoServesHasNoShare() {
        var seating =
                new Seating(
                        wants(2, EQUAL, SERVED, REAL, Map.of()),
                        workers(4),
                        SeatingTest::byNumber,
                        Optional.empty());

        assertThat(shares(seating)).containsExactly(0, 0, 600, 600);
        assertThat(seating.seats().getFirst().stepSeconds()).isZero();
    }

    @Test
    void functionalSharesAreOfThoseWhoTrain() {
        var seating =
                new Seating(
                        wants(2, FUNCTIONAL, SERVED, REAL, Map.of()),
                        workers(4),
                        SeatingTest::byNumber,
                        Optional.empty());

        assertThat(shares(seating)).containsExactly(0, 0, 686, 514);
    }

    @Test
    void functionalSharesFollowSpeedsAsTheyAreSlowedDown() {
        RunConfiguration slowed = wants(2, FUNCTIONAL, RING, REAL, Map.of(0, 4.0));

        var seating = new Seating(slowed, workers(2), SeatingTest::byNumber, Optional.empty());

        assertThat(shares(seating)).containsExactly(400, 800);
        assertThat(seating.seats().get(0).stepSeconds())
                .isCloseTo(400 / 60.0 * 0.004, within(1e-12));
        assertThat(seating.seats().get(1).stepSeconds())
                .isCloseTo(800 / 60.0 * 0.002, within(1e-12));
    }

    /** The first is twice as fast, but has no memory for more than the half of a round. */
    @Test
    void nobodyTakesMoreThanHeHasMemoryFor() {
        List<LabWorker> workers =
                List.of(withMemory(workers(1).getFirst(), 41_700_000), workers(2).getLast());
        RunConfiguration wanted = wants(2, FUNCTIONAL, RING, REAL, Map.of());

        var seating = new Seating(wanted, workers, SeatingTest::byNumber, Optional.empty());

        assertThat(Seating.work(wanted, workers).most().getFirst()).isEqualTo(12);
        assertThat(shares(seating)).containsExactly(12 * 60, 480);
    }

    /** Shares that change later must fit the same memory. */
    @Test
    void everySeatKnowsHowMuchItsWorkerHasMemoryFor() {
        List<LabWorker> workers =
                List.of(withMemory(workers(1).getFirst(), 41_700_000), workers(2).getLast());
        RunConfiguration wanted = wants(2, new Partitioning.Dynamic(0.05), RING, REAL, Map.of());

        var seating = new Seating(wanted, workers, _ -> Optional.empty(), Optional.empty());

        assertThat(seating.seats().getFirst().room()).isEqualTo(12);
        assertThat(seating.seats().getLast().room()).isGreaterThan(1200);
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
    void sharesFollowTheSpeedsThatAreToldAndNobodyIsMeasured() {
        RunConfiguration told =
                wants(3, new Partitioning.Constant(List.of(1.01, 1.0, 2.31)), RING, REAL, Map.of());

        var seating = new Seating(told, workers(3), _ -> Optional.empty(), Optional.empty());

        assertThat(told.wantsSpeeds()).isFalse();
        assertThat(shares(seating)).containsExactly(280, 278, 642);
    }

    @ParameterizedTest
    @EnumSource
    void sharesOfEveryModelTakeAllTheSameTime(Partitioning.Model model) {
        RunConfiguration modelled =
                wants(
                        2,
                        new Partitioning.Functional(
                                model,
                                Partitioning.Solver.NUMERICAL,
                                Partitioning.Rounding.MINIMAX,
                                Partitioning.Extent.FULL),
                        RING,
                        REAL,
                        Map.of(1, 3.0));
        SpeedFunction line =
                SpeedFunction.piecewise(
                        IntStream.rangeClosed(1, 6)
                                .mapToObj(i -> new SpeedFunction.Point(4 * i, 0.002 * i))
                                .toList());

        var seating = new Seating(modelled, workers(2), _ -> Optional.of(line), Optional.empty());

        assertThat(shares(seating)).containsExactly(900, 300);
    }

    @Test
    void sharesFollowBatchCountsAndAStepHasAsManyMiniBatches() {
        RunConfiguration counted =
                wants(3, new Partitioning.BatchCounts(List.of(1, 1, 2)), RING, REAL, Map.of());
        SpeedFunction speed =
                SpeedFunction.piecewise(
                        List.of(
                                new SpeedFunction.Point(10, 0.02),
                                new SpeedFunction.Point(20, 0.03)));

        var seating = new Seating(counted, workers(3), _ -> Optional.of(speed), Optional.empty());

        assertThat(shares(seating)).containsExactly(300, 300, 600);
        assertThat(seating.seats().get(0).stepSeconds()).isCloseTo(0.02, within(1e-12));
        assertThat(seating.seats().get(2).stepSeconds()).isCloseTo(0.04, within(1e-12));
    }

    @Test
    void allRanksOfAVirtualRunSitOnOneWorkerAtTheSpeedsThatAreTold() {
        RunConfiguration told =
                wants(3, FUNCTIONAL, RING, virtual(Speed.of(100), Speed.of(300)), Map.of(2, 2.0));

        var seating = new Seating(told, workers(1), _ -> Optional.empty(), Optional.empty());

        assertThat(seating.seats()).extracting(Seat::worker).containsOnly(worker(0).id());
        assertThat(shares(seating)).containsExactly(267, 800, 133);
        assertThat(seating.speeds()).isEmpty();
    }

    @Test
    void toldSpeedsGoByReplicaWhoeverServesBeforeThem() {
        RunConfiguration told =
                wants(2, FUNCTIONAL, SERVED, virtual(Speed.of(100), Speed.of(300)), Map.of());

        var seating = new Seating(told, workers(1), _ -> Optional.empty(), Optional.empty());

        assertThat(shares(seating)).containsExactly(0, 0, 300, 900);
        assertThat(told.executionByRank())
                .isEqualTo(virtual(Speed.of(100), Speed.of(100), Speed.of(100), Speed.of(300)));
    }

    @Test
    void aVirtualRunWithoutSpeedsTakesThatOfItsWorker() {
        RunConfiguration untold = wants(3, FUNCTIONAL, SERVED, virtual(), Map.of(3, 2.0, 4, 2.0));

        var seating = new Seating(untold, workers(1), SeatingTest::byNumber, Optional.empty());

        assertThat(shares(seating)).containsExactly(0, 0, 600, 300, 300);
        assertThat(seating.speeds())
                .containsExactly(new Speed(List.of(new Execution.Point(1, 0.001))));
    }
}
