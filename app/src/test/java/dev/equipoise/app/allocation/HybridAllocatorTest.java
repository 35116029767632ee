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
import dev.equipoise.app.measurement.HostLoad;
import dev.equipoise.app.run.HybridAllocationView;
import dev.equipoise.app.run.HybridAllocationView.Formation;
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
import dev.equipoise.protocol.MeasuredAllReduce;
import dev.equipoise.protocol.Observation;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.Partitioning;
import dev.equipoise.protocol.Partitioning.HybridSolver;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.Topology.Algorithm;
import dev.equipoise.protocol.WorkerId;
import dev.equipoise.protocol.dataset.PublishedSpec;
import dev.equipoise.protocol.network.Loss;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Uses the perceptron of Ozawa, Sugaya and Aso on 1000 samples in ten rounds with eight ranks. */
class HybridAllocatorTest {

    private static final Execution.Link GIGABIT = new Execution.Link(50, 125);
    private static final List<Double> UNEVEN = List.of(100.0, 100.0, 67.0, 100.0, 50.0, 100.0);

    private static HybridAllocator allocator(
            Partitioning.Hybrid wanted,
            Execution execution,
            Map<Integer, Double> slowDown,
            List<MeasuredAllReduce> measured) {
        return allocator(wanted, execution, slowDown, measured, OptionalDouble.empty());
    }

    /** The speeds of workers that take 10 ms a sample, and perhaps have measured a sigmoid. */
    private record Speeds(OptionalDouble seconds) implements WorkerSpeeds {

        @Override
        public Optional<SpeedFunction> of(LabWorker worker, HostLoad load) {
            return Optional.of(SpeedFunction.piecewise(List.of(new SpeedFunction.Point(1, 0.01))));
        }

        @Override
        public OptionalDouble sigmoid(LabWorker worker, HostLoad load) {
            return seconds;
        }
    }

    private static HybridAllocator allocator(
            Partitioning.Hybrid wanted,
            Execution execution,
            Map<Integer, Double> slowDown,
            List<MeasuredAllReduce> measured,
            OptionalDouble sigmoid) {
        var configuration =
                new RunConfiguration(
                        "equipoise/v1",
                        "test",
                        new Workload(
                                new PublishedSpec.Nettalk(1000),
                                new Workload.Network("mlp-203-100-26", null, null),
                                new Workload.Training(
                                        1,
                                        13,
                                        new Loss(Loss.Kind.SQUARED_ERROR, Loss.Reduction.MEAN),
                                        new OptimizerSpec.Sgd(0.05))),
                        new Parallelism(
                                new Parallelism.WantedWorkers(8, Map.of()),
                                wanted,
                                new Synchronization.Bsp(),
                                Topology.AllReduce.by(Algorithm.RING),
                                new Compression.None(),
                                ChannelKind.DIRECT),
                        new Environment(
                                new Environment.Heterogeneity(List.of(), slowDown, 1), execution),
                        new Instrumentation(
                                new Instrumentation.Evaluation(1, Observation.Replicas.LAST),
                                false,
                                false),
                        Scheduling.UNINTERRUPTED,
                        1,
                        null);
        var ranks =
                new Allocator(
                        new RankSpeeds(
                                configuration,
                                IntStream.range(0, 8)
                                        .mapToObj(HybridAllocatorTest::worker)
                                        .toList(),
                                new Speeds(sigmoid)));
        return new HybridAllocator(ranks, wanted, measured);
    }

    private static LabWorker worker(int number) {
        return new LabWorker(
                WorkerId.of(new UUID(0, number)),
                "worker-" + number,
                WorkerState.IDLE,
                Cordon.OPEN,
                new HostDescription("host", 1, 1, 1, "Linux", "oneDNN", 1),
                Map.of(),
                "address",
                Set.of(),
                Instant.EPOCH,
                Instant.EPOCH);
    }

    private static Execution virtual(Execution.Link link) {
        return new Execution.Virtual(
                Stream.concat(UNEVEN.stream(), Stream.of(100.0, 100.0)).map(Speed::of).toList(),
                0,
                link);
    }

    private static Partitioning.Hybrid auto() {
        return new Partitioning.Hybrid(null, HybridSolver.LINEAR_PROGRAM);
    }

    @Test
    void fastestFormationIsChosenAmongAll() {
        HybridAllocationView hybrid =
                allocator(auto(), virtual(GIGABIT), Map.of(), List.of()).hybrid();

        assertThat(hybrid.formations())
                .extracting(Formation::nodeParallel, Formation::dataParallel)
                .containsExactly(tuple(8, 1), tuple(4, 2), tuple(2, 4), tuple(1, 8));
        Formation chosen =
                hybrid.formations().stream().filter(Formation::chosen).findFirst().orElseThrow();
        assertThat(hybrid.formations())
                .allSatisfy(it ->
                        assertThat(it.predictedSeconds())
                                .isBetween(chosen.predictedSeconds(), 0.3));
        assertThat(hybrid.formations()).filteredOn(Formation::chosen).hasSize(1);
        assertThat(hybrid.grouping().nodeParallel()).isEqualTo(chosen.nodeParallel());
    }

    @ParameterizedTest
    @EnumSource(HybridSolver.class)
    void samplesAndHiddenUnitsAreCompletelyDivided(HybridSolver solver) {
        for (int nodeParallel : List.of(1, 2, 4, 8)) {
            HybridAllocator allocator =
                    allocator(
                            new Partitioning.Hybrid(nodeParallel, solver),
                            virtual(GIGABIT),
                            Map.of(),
                            List.of());

            HybridAllocationView hybrid = allocator.hybrid();

            assertThat(hybrid.grouping().nodeParallel()).isEqualTo(nodeParallel);
            assertThat(hybrid.grouping().allUnits()).isEqualTo(100);
            assertThat(hybrid.samples().stream().mapToInt(Integer::intValue).sum()).isEqualTo(1000);
            List<RankAllocation> allocations = allocator.allocations(hybrid);
            assertThat(allocations.stream().mapToInt(RankAllocation::share).sum()).isEqualTo(1000);
            assertThat(allocations)
                    .filteredOn(it -> it.share() > 0)
                    .hasSize(hybrid.grouping().dataParallel());
        }
    }

    @Test
    void slowestRanksHaveFewestHiddenUnits() {
        HybridAllocationView hybrid =
                allocator(
                                new Partitioning.Hybrid(8, HybridSolver.CLOSED_FORM),
                                virtual(GIGABIT),
                                Map.of(),
                                List.of())
                        .hybrid();

        assertThat(hybrid.grouping().groups().getFirst()).startsWith(4, 2);
        assertThat(hybrid.grouping().units()).containsExactly(7, 9, 14, 14, 14, 14, 14, 14);
    }

    /** Ranks 3 and 6 are slowed; with slow all-reduces, one group of all ranks is fastest. */
    @Test
    void realRunUsesMeasuredSpeedsAndAllReduces() {
        List<MeasuredAllReduce> slow =
                IntStream.rangeClosed(2, 8)
                        .boxed()
                        .flatMap(ranks ->
                                Stream.of(10, 1_000, 100_000)
                                        .map(numbers ->
                                                new MeasuredAllReduce(
                                                        Algorithm.RING,
                                                        ranks,
                                                        numbers,
                                                        1e-4 + 3e-6 * numbers)))
                        .toList();

        HybridAllocationView hybrid =
                allocator(auto(), new Execution.Real(), Map.of(3, 2.0, 6, 1.5), slow).hybrid();

        assertThat(hybrid.grouping().nodeParallel()).isEqualTo(8);
        assertThat(hybrid.grouping().groups().getFirst()).startsWith(3, 6);
        assertThat(hybrid.formations())
                .filteredOn(it -> it.nodeParallel() == 1)
                .singleElement()
                .satisfies(it ->
                        assertThat(it.predictedSeconds()).isEqualTo(0.14 + 0.0687, within(0.03)));
    }

    /**
     * Each member of the group computes the sigmoids of all outputs, which cost as much as 130
     * multiplications with an addition here, instead of the assumed 10: of eight equal ranks each
     * computes at most (485 * 13 + 52 + 39 g) / (48552 + 126 g) of the time of one.
     */
    @Test
    void realRunUsesTheMeasuredTimeOfASigmoid() {
        List<MeasuredAllReduce> free =
                IntStream.rangeClosed(2, 8)
                        .boxed()
                        .flatMap(ranks ->
                                Stream.of(10, 1_000, 100_000)
                                        .map(numbers ->
                                                new MeasuredAllReduce(
                                                        Algorithm.RING, ranks, numbers, 1e-9)))
                        .toList();
        var eight = new Partitioning.Hybrid(8, HybridSolver.EQUAL);

        assertThat(secondsOfARound(eight, new Execution.Real(), free, OptionalDouble.empty()))
                .isEqualTo(predicted(10), within(0.004));
        assertThat(secondsOfARound(eight, new Execution.Real(), free, OptionalDouble.of(2e-5)))
                .isEqualTo(predicted(129.818), within(0.004));
        assertThat(secondsOfARound(eight, virtual(GIGABIT), List.of(), OptionalDouble.of(2e-5)))
                .isEqualTo(
                        secondsOfARound(
                                eight, virtual(GIGABIT), List.of(), OptionalDouble.empty()));
    }

    /** The seconds of 100 samples, with equal units of whole numbers: at most 13 a rank. */
    private static double predicted(double sigmoid) {
        return (485 * 13 + 52 + (13 + 26) * sigmoid) / (48_552 + 126 * sigmoid);
    }

    private static double secondsOfARound(
            Partitioning.Hybrid wanted,
            Execution execution,
            List<MeasuredAllReduce> measured,
            OptionalDouble sigmoid) {
        return allocator(wanted, execution, Map.of(), measured, sigmoid)
                .hybrid()
                .formations()
                .stream()
                .filter(Formation::chosen)
                .findFirst()
                .orElseThrow()
                .predictedSeconds();
    }
}
