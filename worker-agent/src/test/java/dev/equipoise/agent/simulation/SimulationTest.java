package dev.equipoise.agent.simulation;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.agent.TestingPlan;
import dev.equipoise.agent.dataset.DatasetRegistry;
import dev.equipoise.agent.dataset.DatasetSettings;
import dev.equipoise.agent.order.RecordedOrders;
import dev.equipoise.agent.service.AssignmentFailed;
import dev.equipoise.agent.time.SystemTime;
import dev.equipoise.agent.training.DivergedWeightsStore;
import dev.equipoise.agent.training.MethodsTest;
import dev.equipoise.agent.training.TestingReplicas;
import dev.equipoise.agent.training.TestingReplicas.Outcome;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.AssignmentId;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.Observation;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.RunReport.Decided;
import dev.equipoise.protocol.StalenessCorrection;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Synchronization.Weighting;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.TrainingPlan;
import dev.equipoise.protocol.TrainingPlan.EpochDivision;
import dev.equipoise.protocol.dataset.DatasetSpec;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Layer;
import dev.equipoise.protocol.network.Shape;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SimulationTest {

    private static final int SAMPLES = 192;
    private static final int ROUNDS = 8;
    private static final int RANKS = 4;
    private static final Architecture NETWORK =
            new Architecture(
                    "tiny",
                    new Shape.Image(6, 6, 1),
                    List.of(
                            new Layer.Flatten(),
                            new Layer.Dense(8),
                            new Layer.Relu(),
                            new Layer.Dropout(0.1),
                            new Layer.Dense(4)));
    private static final DatasetSpec DATA =
            new DatasetSpec.Synthetic(List.of(6, 6, 1), 4, SAMPLES, 1, SAMPLES);
    private static final Execution.Virtual QUICK = virtual(0, 0.0, 1e6, 1000);

    private static final Execution REPLAY = new Execution.Replay(RunId.of(UUID.randomUUID()));

    @TempDir Path folder;

    /** Real threads compute the same, in the same order. */
    @Test
    void virtualReplicasHaveTheBitsOfRealOnes() throws Exception {
        TrainingPlan plan = plan(TestingPlan.BSP, RANKS, QUICK);
        var real = new TestingReplicas(datasets().load(DATA, SAMPLES), SystemTime::new);

        List<Outcome> outcomes = real.train(plan);
        List<EpochFinished> last = lastEpochs(simulate(plan));

        assertThat(last).hasSize(RANKS);
        for (EpochFinished epoch : last) {
            EpochFinished other = outcomes.get(epoch.rank()).epochs().getLast();
            assertThat(epoch.parameters()).isEqualTo(other.parameters());
            assertThat(epoch.test()).isEqualTo(other.test());
            assertThat(epoch.traffic()).isEqualTo(other.traffic());
        }
    }

    static List<Method> asynchronous() {
        return MethodsTest.methods()
                .filter(method ->
                        method.synchronization() instanceof Synchronization.Async
                                || method.synchronization()
                                        instanceof Synchronization.StaleSynchronous
                                || method.synchronization() instanceof Synchronization.AdPsgd)
                .toList();
    }

    @ParameterizedTest
    @MethodSource("asynchronous")
    void asynchronousVirtualRunsAreRepeatable(Method method) throws Exception {
        TrainingPlan plan =
                plan(method, RANKS + method.topology().servers(), virtual(0.5, 100, 100, 500));

        List<RunReport> once = simulate(plan);

        assertThat(lastEpochs(simulate(plan))).isEqualTo(lastEpochs(once));
    }

    /** Known times: 24 samples at 1,000 per second, and a ring at 1 MB/s with 1 ms latency. */
    @Test
    void clockShowsTheTimesOfComputingAndExchanging() throws Exception {
        TrainingPlan plan = plan(TestingPlan.BSP, RANKS, virtual(0, 1000, 1, 1000));

        EpochFinished epoch = lastEpochs(simulate(plan)).getFirst();

        double chunk = 4.0 * NETWORK.parameterCount() / RANKS;
        double exchange = 2 * (RANKS - 1) * (1e-3 + (chunk + 32) / 1e6);
        double samples = (double) SAMPLES / RANKS / ROUNDS;
        assertThat(epoch.phases().computeSeconds())
                .isCloseTo(ROUNDS * samples / 1000, within(1e-9));
        // Ranks leave the previous evaluation at times that differ by at most one exchange.
        assertThat(epoch.phases().transferSeconds() + epoch.phases().waitSeconds())
                .isCloseTo(ROUNDS * exchange, within(exchange));
    }

    @Test
    void stragglerMakesTheOthersWait() throws Exception {
        var division =
                new EpochDivision(
                        Collections.nCopies(2, SAMPLES / 2),
                        ROUNDS,
                        List.of(1, 1),
                        List.of(1.0, 3.0));
        TrainingPlan plan = plan(TestingPlan.BSP, division, QUICK);

        List<EpochFinished> last = lastEpochs(simulate(plan));

        double step = (double) SAMPLES / 2 / ROUNDS / 1000;
        assertThat(last.get(0).phases().waitSeconds()).isCloseTo(2 * step * ROUNDS, within(1e-3));
        assertThat(last.get(1).phases().waitSeconds()).isZero();
    }

    /** The second replica computes three times as long, which the first epoch shows. */
    @ParameterizedTest
    @MethodSource("balanced")
    void dynamicSharesFollowTheComputeTimes(Method method) throws Exception {
        int servers = method.topology().servers();
        List<Integer> shares =
                IntStream.range(0, servers + 2)
                        .mapToObj(rank -> rank < servers ? 0 : SAMPLES / 2)
                        .toList();
        List<Double> slowDowns =
                IntStream.range(0, servers + 2)
                        .mapToObj(rank -> rank == servers + 1 ? 3.0 : 1.0)
                        .toList();
        var division =
                new EpochDivision(
                        shares,
                        ROUNDS,
                        Collections.nCopies(servers + 2, 1),
                        slowDowns,
                        1,
                        rebalancing(Collections.nCopies(servers + 2, SAMPLES)));

        List<EpochFinished> last = lastEpochs(simulate(plan(method, division, QUICK)));

        EpochFinished fast = last.get(servers);
        EpochFinished slow = last.get(servers + 1);
        assertThat(List.of(fast.samples(), slow.samples())).containsExactly(144, 48);
        assertThat(fast.phases().computeSeconds())
                .isCloseTo(slow.phases().computeSeconds(), within(1e-9));
        assertThat(fast.parameters()).isEqualTo(slow.parameters());
    }

    static Stream<Method> balanced() {
        return Stream.of(
                TestingPlan.BSP,
                new Method(
                        new Synchronization.Bsp(),
                        new Topology.ParameterServer(1, false, Topology.Aggregate.MEAN),
                        new Compression.None()),
                new Method(
                        new Synchronization.LocalSgd(
                                2,
                                Synchronization.Order.STEP_THEN_AVERAGE,
                                Synchronization.Momentum.LOCAL),
                        Topology.AllReduce.by(Topology.Algorithm.TREE),
                        new Compression.None()));
    }

    /** Replicas are equally fast at first; the fourth epoch has the shares from the third. */
    @Test
    void dynamicSharesAdaptToALaterSlowdown() throws Exception {
        var division =
                new EpochDivision(
                        Collections.nCopies(2, SAMPLES / 2),
                        ROUNDS,
                        List.of(1, 1),
                        List.of(1.0, 3.0),
                        3,
                        rebalancing(List.of(SAMPLES, SAMPLES)));

        List<EpochFinished> slow =
                simulate(TestingPlan.with(plan(TestingPlan.BSP, division, QUICK), 4)).stream()
                        .filter(EpochFinished.class::isInstance)
                        .map(EpochFinished.class::cast)
                        .filter(epoch -> epoch.rank() == 1)
                        .toList();

        assertThat(slow).extracting(EpochFinished::samples).containsExactly(96, 96, 96, 48);
        List<Double> seconds = slow.stream().map(epoch -> epoch.phases().computeSeconds()).toList();
        assertThat(seconds.get(2)).isCloseTo(3 * seconds.get(1), within(1e-9));
        assertThat(seconds.get(3)).isCloseTo(1.5 * seconds.get(1), within(1e-9));
    }

    /** The fast replica would take 144 samples, but has memory for 15 in each of 8 rounds. */
    @Test
    void dynamicSharesStayWithinTheMemoryOfTheirWorkers() throws Exception {
        var division =
                new EpochDivision(
                        Collections.nCopies(2, SAMPLES / 2),
                        ROUNDS,
                        List.of(1, 1),
                        List.of(1.0, 3.0),
                        1,
                        rebalancing(List.of(15, SAMPLES)));

        List<EpochFinished> last = lastEpochs(simulate(plan(TestingPlan.BSP, division, QUICK)));

        assertThat(last).extracting(EpochFinished::samples).containsExactly(120, 72);
    }

    /** The division of a round among replicas does not affect the result, except for rounding. */
    @Test
    void dynamicSharesLearnWhatEqualOnesLearn() throws Exception {
        List<Double> slowDowns = List.of(1.0, 3.0);
        List<Integer> shares = Collections.nCopies(2, SAMPLES / 2);

        double equal = lossOf(new EpochDivision(shares, ROUNDS, List.of(1, 1), slowDowns));
        double dynamic =
                lossOf(
                        new EpochDivision(
                                shares,
                                ROUNDS,
                                List.of(1, 1),
                                slowDowns,
                                1,
                                rebalancing(List.of(SAMPLES, SAMPLES))));

        assertThat(dynamic).isCloseTo(equal, within(1e-4));
    }

    private static TrainingPlan.Rebalancing rebalancing(List<Integer> rooms) {
        return new TrainingPlan.Rebalancing(0.05, rooms);
    }

    /** Uses no dropout, which each replica draws for itself. */
    private double lossOf(EpochDivision division) throws InterruptedException {
        var network =
                new Architecture(
                        "without dropout",
                        NETWORK.input(),
                        NETWORK.layers().stream()
                                .filter(layer -> !(layer instanceof Layer.Dropout))
                                .toList());
        TrainingPlan plan =
                TestingPlan.with(
                        TestingPlan.with(
                                TestingPlan.of(DATA, network, new OptimizerSpec.Sgd(0.1), division),
                                2),
                        QUICK);
        return requireNonNull(lastEpochs(simulate(plan)).getFirst().test()).loss();
    }

    /** The fast replica uses the time that the slow one leaves, within the staleness bound. */
    @Test
    void fastReplicaContinuesOnStaleWeightsUpToTheBound() throws Exception {
        var method =
                new Method(
                        new Synchronization.Async(
                                2, Weighting.WEIGHTED, new StalenessCorrection.None()),
                        Topology.AllReduce.by(Topology.Algorithm.RING),
                        new Compression.None());
        var division =
                new EpochDivision(
                        Collections.nCopies(3, SAMPLES / 3),
                        ROUNDS,
                        List.of(1, 1, 1),
                        List.of(1.0, 4.0, 4.0));

        List<EpochFinished> last = lastEpochs(simulate(plan(method, division, QUICK)));

        assertThat(last.getFirst().updates().greatestStaleness()).isEqualTo(2);
        assertThat(last).allMatch(epoch -> epoch.updates().greatestStaleness() <= 2);
        assertThat(last)
                .extracting(EpochFinished::parameters)
                .containsOnly(last.getFirst().parameters());
        assertThat(last.getFirst().phases().waitSeconds()).isPositive();
    }

    /** Decisions that differ between executions on real threads are recorded and imposed. */
    @ParameterizedTest
    @MethodSource("repeatable")
    void replayEndsEveryEpochWithTheBitsOfTheRecordedRun(Method method) throws Exception {
        TrainingPlan plan = plan(method, RANKS + method.topology().servers(), new Execution.Real());
        List<RunReport> recorded = recorded(plan);

        List<RunReport> replayed =
                simulate(TestingPlan.with(plan, REPLAY), (_, reader) -> decided(recorded, reader));

        assertThat(parameters(replayed)).hasSize(2 * plan.division().ranks());
        assertThat(parameters(replayed)).isEqualTo(parameters(recorded));
    }

    static List<Method> repeatable() {
        return Stream.concat(
                        asynchronous().stream(),
                        Stream.of(
                                new Method(
                                        new Synchronization.Async(
                                                2,
                                                Weighting.WEIGHTED,
                                                new StalenessCorrection.None()),
                                        Topology.AllReduce.by(Topology.Algorithm.AUTO),
                                        new Compression.None()),
                                new Method(
                                        new Synchronization.Async(
                                                null,
                                                Weighting.UNWEIGHTED,
                                                new StalenessCorrection.None(),
                                                ROUNDS,
                                                Synchronization.OwnStep.AT_ONCE),
                                        Topology.AllReduce.by(Topology.Algorithm.RING),
                                        new Compression.None())))
                .toList();
    }

    @Test
    void replayRejectsDecisionsOfAnotherRun() throws Exception {
        Method method = asynchronous().getLast();
        TrainingPlan plan = plan(method, RANKS, new Execution.Real());
        List<RunReport> recorded = recorded(TestingPlan.with(plan, 1));

        assertThatThrownBy(() ->
                        simulate(
                                TestingPlan.with(plan, REPLAY),
                                (_, reader) -> decided(recorded, reader)))
                .isInstanceOf(AssignmentFailed.class)
                .hasMessageContaining("decisions in epoch 2 than were recorded");
    }

    private List<RunReport> recorded(TrainingPlan plan) throws InterruptedException {
        var real = new TestingReplicas(datasets().load(DATA, SAMPLES), SystemTime::new);
        var observation = new Observation(1, Observation.Replicas.NEVER, false, true);
        return real.train(TestingPlan.with(plan, observation)).stream()
                .flatMap(outcome -> outcome.events().stream())
                .toList();
    }

    private static void decided(List<RunReport> events, Consumer<Decided> reader) {
        events.stream().filter(Decided.class::isInstance).map(Decided.class::cast).forEach(reader);
    }

    /** Returns the weight checksums after each epoch, rank by rank. */
    private static List<String> parameters(List<RunReport> events) {
        return events.stream()
                .filter(EpochFinished.class::isInstance)
                .map(EpochFinished.class::cast)
                .sorted(
                        Comparator.comparingInt(EpochFinished::epoch)
                                .thenComparingInt(EpochFinished::rank))
                .map(EpochFinished::parameters)
                .toList();
    }

    @Test
    void roundsOfOneReplicaAreReported() throws Exception {
        List<RunReport> events = simulate(plan(TestingPlan.BSP, RANKS, QUICK));

        assertThat(events)
                .filteredOn(RunReport.RoundReached.class::isInstance)
                .hasSize(2 * ROUNDS)
                .allMatch(event -> event.ofRank().orElseThrow() == 0);
        assertThat(events).filteredOn(RunReport.ReplicaReady.class::isInstance).hasSize(RANKS);
    }

    @Test
    void divergedReplicaEndsTheSimulationWithItsRank() {
        TrainingPlan plan =
                TestingPlan.with(
                        TestingPlan.of(DATA, NETWORK, new OptimizerSpec.Sgd(1e30), division(RANKS)),
                        QUICK);

        assertThatThrownBy(() -> simulate(plan))
                .isInstanceOf(AssignmentFailed.class)
                .hasMessageContaining("the training diverged at rank ")
                .hasMessageContaining("its last losses are ");
    }

    @Test
    void rejectsMoreReplicasThanFitIntoMemory() {
        TrainingPlan plan = plan(TestingPlan.BSP, RANKS, QUICK);
        long least = 3L * RANKS * Float.BYTES * NETWORK.parameterCount();

        assertThatThrownBy(() -> TestingSimulation.run(plan, least - 1, _ -> {}))
                .isInstanceOf(AssignmentFailed.class)
                .hasMessageContaining("this worker must have at least 0.0 GB of memory")
                .hasMessageContaining("of 4 ranks");
    }

    private List<RunReport> simulate(TrainingPlan plan) throws InterruptedException {
        return simulate(
                plan,
                (_, _) -> {
                    throw new AssertionError("nothing is repeated");
                });
    }

    private List<RunReport> simulate(TrainingPlan plan, RecordedOrders recorded)
            throws InterruptedException {
        List<RunReport> events = new ArrayList<>();
        new Simulation(
                        datasets(),
                        1,
                        Long.MAX_VALUE,
                        TestingReplicas.BACKEND,
                        new DivergedWeightsStore(folder),
                        recorded)
                .run(
                        new Assignment.Simulation(
                                AssignmentId.of(UUID.randomUUID()),
                                1,
                                RunId.of(UUID.randomUUID()),
                                plan),
                        events::add);
        return events;
    }

    private DatasetRegistry datasets() {
        return new DatasetRegistry(
                DatasetSettings.fromEnvironment(Map.of("EQUIPOISE_DATASETS", folder.toString())));
    }

    private static List<EpochFinished> lastEpochs(List<RunReport> events) {
        return events.stream()
                .filter(EpochFinished.class::isInstance)
                .map(EpochFinished.class::cast)
                .filter(epoch -> epoch.epoch() == 2)
                .sorted(Comparator.comparingInt(EpochFinished::rank))
                .toList();
    }

    private static Execution.Virtual virtual(
            double jitter, double latencyMicroseconds, double megabytes, double samplesPerSecond) {
        return new Execution.Virtual(
                List.of(Execution.Speed.of(samplesPerSecond)),
                jitter,
                new Execution.Link(latencyMicroseconds, megabytes));
    }

    private static TrainingPlan plan(Method method, int ranks, Execution execution) {
        int servers = method.topology().servers();
        List<Integer> shares =
                IntStream.range(0, ranks)
                        .mapToObj(rank -> rank < servers ? 0 : SAMPLES / (ranks - servers))
                        .toList();
        return plan(method, EpochDivision.of(shares, ROUNDS), execution);
    }

    private static EpochDivision division(int ranks) {
        return EpochDivision.of(Collections.nCopies(ranks, SAMPLES / ranks), ROUNDS);
    }

    private static TrainingPlan plan(Method method, EpochDivision division, Execution execution) {
        return TestingPlan.with(
                TestingPlan.with(
                        TestingPlan.with(
                                TestingPlan.of(DATA, NETWORK, new OptimizerSpec.Sgd(0.1), division),
                                method),
                        2),
                execution);
    }
}
