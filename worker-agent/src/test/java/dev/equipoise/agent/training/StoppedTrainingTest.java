package dev.equipoise.agent.training;

import static dev.equipoise.agent.training.TestingCheckpoints.STOP;
import static dev.equipoise.agent.training.TestingTask.ADAM;
import static dev.equipoise.agent.training.TestingTask.AUGMENTED;
import static dev.equipoise.agent.training.TestingTask.MOMENTUM;
import static dev.equipoise.agent.training.TestingTask.ROUNDS;
import static dev.equipoise.agent.training.TestingTask.SGD;
import static dev.equipoise.agent.training.TestingTask.UNCLIPPED;
import static dev.equipoise.agent.training.TestingTask.localSgd;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.agent.time.SystemTime;
import dev.equipoise.agent.training.TestingReplicas.Outcome;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.Grouping;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.Outcome.Preempted;
import dev.equipoise.protocol.RunReport.Observed;
import dev.equipoise.protocol.StalenessCorrection;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Synchronization.LocalSgd;
import dev.equipoise.protocol.Synchronization.Momentum;
import dev.equipoise.protocol.Synchronization.Order;
import dev.equipoise.protocol.Synchronization.OwnStep;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.Topology.Gossip;
import dev.equipoise.protocol.Topology.Mixing;
import dev.equipoise.protocol.Topology.Partners;
import dev.equipoise.protocol.Topology.Payload;
import dev.equipoise.protocol.TrainingPlan;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A training that stops and resumes elsewhere equals one that never stopped, to the bit. */
class StoppedTrainingTest {

    private static final int EPOCHS = 4;

    /** Tolerance for float32 sums in another order. */
    private static final float TOLERANCE = 1e-5f;

    private static final Compression NONE = new Compression.None();
    private static final Synchronization ASYNC =
            new Synchronization.Async(
                    null, Synchronization.Weighting.WEIGHTED, new StalenessCorrection.None());

    /**
     * Sums gradients in the background; replicas with two mini-batches a round wait for each sum
     * before the next round, so that sums do not depend on time.
     */
    private static final Synchronization OVERLAPPED =
            new Synchronization.Async(
                    1, Synchronization.Weighting.WEIGHTED, new StalenessCorrection.None());

    private static final Topology RING = Topology.AllReduce.by(Topology.Algorithm.RING);
    private static final Method AD_PSGD =
            new Method(
                    new Synchronization.AdPsgd(),
                    new Gossip(new Partners.RandomMatching(), Payload.WEIGHTS, Mixing.UNIFORM, 0),
                    NONE);

    private static final Grouping ONE_GROUP =
            new Grouping(List.of(List.of(0, 1, 2)), List.of(5, 4, 3));
    private static final Grouping TWO_GROUPS =
            new Grouping(List.of(List.of(0, 2), List.of(1, 3)), List.of(7, 5));

    /** The last rank has no samples in some rounds, so that it makes fewer steps. */
    private static final List<Integer> SHARES = List.of(75, 20, 4);

    private final TestingReplicas replicas = new TestingReplicas(AUGMENTED, SystemTime::new);
    private final TestingCheckpoints stored = new TestingCheckpoints();

    private static Arguments method(
            String name, Synchronization synchronization, OptimizerSpec optimizer) {
        return method(name, new Method(synchronization, RING, NONE), optimizer);
    }

    private static Arguments method(String name, Method method, OptimizerSpec optimizer) {
        return Arguments.of(name, TestingTask.plan(method, optimizer, EPOCHS, shares(method)));
    }

    /** Returns the shares of servers, in front, and replicas. */
    private static List<Integer> shares(Method method) {
        List<Integer> shares = new ArrayList<>(Collections.nCopies(method.topology().servers(), 0));
        shares.addAll(SHARES);
        return shares;
    }

    private static Arguments coded(Compression compression) {
        return method(
                "bsp by " + compression,
                new Method(new Synchronization.Bsp(), RING, compression),
                MOMENTUM);
    }

    private static Arguments gossip(
            Partners partners,
            Payload payload,
            Mixing mixing,
            int globalAverageEvery,
            Compression compression) {
        var topology = new Gossip(partners, payload, mixing, globalAverageEvery);
        return method(
                "%s by %s".formatted(topology, compression),
                new Method(local(1, Order.STEP_THEN_AVERAGE), topology, compression),
                MOMENTUM);
    }

    private static Arguments served(
            Synchronization synchronization, int servers, Compression compression) {
        return method(
                "%s over %d servers by %s".formatted(synchronization, servers, compression),
                new Method(
                        synchronization,
                        new Topology.ParameterServer(servers, false, Topology.Aggregate.MEAN),
                        compression),
                MOMENTUM);
    }

    /** Returns a method over a ring with batch counts. */
    private static Arguments counted(
            Synchronization synchronization, Compression compression, List<Integer> counts) {
        var method = new Method(synchronization, RING, compression);
        return Arguments.of(
                "%s with batch counts %s by %s".formatted(synchronization, counts, compression),
                TestingTask.plan(method, MOMENTUM, EPOCHS, SHARES, counts));
    }

    private static LocalSgd local(int period, Order order) {
        return new LocalSgd(period, order, Momentum.LOCAL);
    }

    /** Returns methods that do not depend on which rank is first. */
    static Stream<Arguments> methods() {
        return Stream.of(
                method("bsp", new Synchronization.Bsp(), SGD),
                method("bsp with momentum", new Synchronization.Bsp(), MOMENTUM),
                method("bsp overlapped", new Synchronization.Bsp(true, 0.0002, 0.0002), ADAM),
                method("bsp with adam", new Synchronization.Bsp(), ADAM),
                method("local-sgd", localSgd(Momentum.LOCAL), SGD),
                method("local-sgd, momentum averaged", localSgd(Momentum.AVERAGE), MOMENTUM),
                method("local-sgd, adam averaged", localSgd(Momentum.AVERAGE), ADAM),
                method("local-sgd, adam forgotten", localSgd(Momentum.RESET), ADAM),
                method("local-sgd, adam of its own", localSgd(Momentum.LOCAL), ADAM),
                method("local-sgd beyond epochs", local(4, Order.STEP_THEN_AVERAGE), MOMENTUM),
                method("local-sgd within a period", local(5, Order.STEP_THEN_AVERAGE), MOMENTUM),
                method("local-sgd, average first", local(2, Order.AVERAGE_THEN_STEP), MOMENTUM),
                method(
                        "local-sgd by top-k",
                        new Method(
                                local(4, Order.STEP_THEN_AVERAGE),
                                RING,
                                new Compression.TopK(0.2, true)),
                        MOMENTUM),
                method(
                        "local-sgd by top-k within a period",
                        new Method(
                                local(5, Order.STEP_THEN_AVERAGE),
                                RING,
                                new Compression.TopK(0.2, true)),
                        MOMENTUM),
                method("diloco", new Synchronization.DiLoCo(4, 0.7, 0.5), ADAM),
                method("diloco within a period", new Synchronization.DiLoCo(5, 0.7, 0.5), ADAM),
                coded(new Compression.Threshold(0.001, true)),
                coded(new Compression.AdaptiveThreshold(0.2, true)),
                coded(new Compression.TopK(0.2, true)),
                coded(new Compression.Qsgd(4, 32, true)),
                coded(new Compression.Qsgd(4, 32, false)),
                coded(new Compression.Sign(true)),
                coded(new Compression.RandomK(0.3, true)),
                coded(new Compression.RandomK(0.5, false)),
                coded(new Compression.PowerSgd(2)),
                gossip(new Partners.Linear(false), Payload.GRADIENT, Mixing.UNIFORM, 0, NONE),
                gossip(new Partners.RandomMatching(), Payload.UPDATE, Mixing.UNIFORM, 4, NONE),
                gossip(
                        new Partners.Dissemination(),
                        Payload.UPDATE,
                        Mixing.UNIFORM,
                        0,
                        new Compression.TopK(0.2, true)),
                gossip(new Partners.Linear(true), Payload.WEIGHTS, Mixing.METROPOLIS, 5, NONE),
                gossip(
                        new Partners.Fixed(1),
                        Payload.WEIGHTS,
                        Mixing.UNIFORM,
                        0,
                        new Compression.TopK(0.3, false)),
                gossip(new Partners.Dissemination(), Payload.WEIGHTS, Mixing.PUSH_SUM, 0, NONE),
                counted(new Synchronization.Bsp(), NONE, List.of(3, 1, 2)),
                counted(localSgd(Momentum.AVERAGE), NONE, List.of(1, 4, 2)),
                counted(OVERLAPPED, NONE, List.of(2, 2, 3)),
                counted(OVERLAPPED, new Compression.TopK(0.2, true), List.of(2, 2, 3)),
                served(new Synchronization.Bsp(), 1, NONE),
                served(new Synchronization.Bsp(), 2, new Compression.TopK(0.2, true)),
                served(localSgd(Momentum.LOCAL), 1, new Compression.Sign(true)),
                servedAlone(ASYNC, 1, NONE),
                servedAlone(ASYNC, 2, new Compression.TopK(0.3, true)),
                servedAlone(stale(false), 1, NONE),
                servedAlone(stale(true), 2, NONE));
    }

    /** Returns plans whose ranks cannot be more or fewer when they resume. */
    static Stream<Arguments> partitionings() {
        return Stream.of(
                balanced(new Synchronization.Bsp(), MOMENTUM),
                balanced(local(4, Order.STEP_THEN_AVERAGE), ADAM),
                balanced(new Synchronization.DiLoCo(8, 0.7, 0.5), MOMENTUM),
                grouped("one group", SGD, ONE_GROUP),
                grouped("one group, adam", ADAM, ONE_GROUP),
                grouped("two groups", UNCLIPPED, TWO_GROUPS),
                grouped("two groups, adam", ADAM, TWO_GROUPS));
    }

    /** Returns a method with dynamic load balancing, for which no gain is large enough. */
    private static Arguments balanced(Synchronization synchronization, OptimizerSpec optimizer) {
        return Arguments.of(
                "%s with dynamic shares".formatted(synchronization),
                TestingTask.balancedPlan(
                        new Method(synchronization, RING, NONE),
                        optimizer,
                        EPOCHS,
                        SHARES,
                        Math.nextDown(1.0)));
    }

    private static Arguments grouped(String name, OptimizerSpec optimizer, Grouping grouping) {
        return Arguments.of("hybrid, " + name, TestingTask.hybridPlan(optimizer, EPOCHS, grouping));
    }

    private static Synchronization stale(boolean barrier) {
        return new Synchronization.StaleSynchronous(2, barrier, new StalenessCorrection.None());
    }

    /** Returns a method with one replica, whose gradients have one order. */
    private static Arguments servedAlone(
            Synchronization synchronization, int servers, Compression compression) {
        var method =
                new Method(
                        synchronization,
                        new Topology.ParameterServer(servers, false, Topology.Aggregate.MEAN),
                        compression);
        List<Integer> shares = new ArrayList<>(Collections.nCopies(servers, 0));
        shares.add(99);
        return Arguments.of(
                "alone at %d servers, %s by %s".formatted(servers, synchronization, compression),
                TestingTask.plan(method, MOMENTUM, EPOCHS, shares));
    }

    private static TrainingPlan plan(Synchronization synchronization, OptimizerSpec optimizer) {
        return TestingTask.plan(synchronization, optimizer, EPOCHS, SHARES);
    }

    private static List<String> checksums(Outcome outcome) {
        return outcome.epochs().stream().map(EpochFinished::parameters).toList();
    }

    private static List<Long> steps(Outcome outcome) {
        return outcome.events().stream()
                .filter(Observed.class::isInstance)
                .map(Observed.class::cast)
                .flatMap(it -> it.steps().stream())
                .toList();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"methods", "partitionings"})
    void resumesWithTheSameBits(String name, TrainingPlan plan) throws Exception {
        assertResumesWithTheSameBits(replicas, plan);
    }

    static Stream<Arguments> methodsThatSampleRows() {
        return Stream.of(
                sampled(new Synchronization.Bsp(), RING),
                sampled(localSgd(Momentum.LOCAL), RING),
                sampled(local(5, Order.STEP_THEN_AVERAGE), RING),
                sampled(new Synchronization.DiLoCo(5, 0.7, 0.5), RING),
                sampled(
                        local(2, Order.STEP_THEN_AVERAGE),
                        new Gossip(new Partners.Fixed(1), Payload.UPDATE, Mixing.UNIFORM, 0)),
                sampled(
                        new Synchronization.Bsp(),
                        new Topology.ParameterServer(2, false, Topology.Aggregate.MEAN)));
    }

    private static Arguments sampled(Synchronization synchronization, Topology topology) {
        var method =
                new Method(
                        synchronization,
                        topology,
                        new Compression.SampledRows(0.05, 0.1, 0.5, false, true));
        return Arguments.of(
                "%s over %s".formatted(synchronization, topology),
                TestingTask.languagePlan(method, EPOCHS, shares(method)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("methodsThatSampleRows")
    void sampledRowsResumeWithTheSameBits(String name, TrainingPlan plan) throws Exception {
        assertResumesWithTheSameBits(new TestingReplicas(TestingTask.WORDS, SystemTime::new), plan);
    }

    private void assertResumesWithTheSameBits(TestingReplicas ranks, TrainingPlan plan)
            throws InterruptedException {
        List<Outcome> whole = ranks.train(plan);

        // Only one rank has the request, and it is not the one that stores the common tensors.
        List<Outcome> first = ranks.with(rank -> stored.of(0, rank == 1, true)).train(plan);
        List<Outcome> second = ranks.with(_ -> stored.resuming()).train(plan);

        for (int rank = 0; rank < plan.division().ranks(); rank++) {
            assertThat(first.get(rank).events().getLast()).isEqualTo(new Preempted(rank, STOP));
            List<String> joined = new ArrayList<>(checksums(first.get(rank)));
            joined.addAll(checksums(second.get(rank)));
            assertThat(joined).isEqualTo(checksums(whole.get(rank))).hasSize(EPOCHS);
            assertThat(second.get(rank).parameters()).isEqualTo(whole.get(rank).parameters());
            assertThat(second.get(rank).epochs())
                    .extracting(EpochFinished::test)
                    .isEqualTo(
                            whole.get(rank).epochs().stream()
                                    .skip(STOP)
                                    .map(EpochFinished::test)
                                    .toList());
        }
    }

    /** Returns methods whose results depend on which rank is first. */
    static Stream<Arguments> methodsThatDependOnTime() {
        return Stream.of(
                method("async over all-reduce", overlapped(null, null), MOMENTUM),
                method("queued sums", overlapped(2, null), MOMENTUM),
                method("queued sums, own at once", overlapped(2, OwnStep.AT_ONCE), SGD),
                method("ad-psgd", AD_PSGD, MOMENTUM),
                served(ASYNC, 1, NONE),
                served(ASYNC, 2, new Compression.TopK(0.3, true)),
                served(stale(false), 2, NONE),
                served(stale(true), 1, NONE));
    }

    private static Synchronization overlapped(@Nullable Integer inFlight, @Nullable OwnStep own) {
        return new Synchronization.Async(
                inFlight == null ? 1 : null,
                Synchronization.Weighting.WEIGHTED,
                new StalenessCorrection.None(),
                inFlight,
                own);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("methodsThatDependOnTime")
    void resumesWithTheWeightsOfTheCheckpoint(String name, TrainingPlan plan) throws Exception {
        List<Outcome> first = replicas.with(_ -> stored.stopping()).train(plan);
        TestingReplicas resumed = replicas.with(_ -> stored.resuming());
        List<Outcome> second = resumed.train(plan);

        for (int rank = 0; rank < plan.division().ranks(); rank++) {
            assertThat(resumed.begun()).containsEntry(rank, checksums(first.get(rank)).getLast());
            assertThat(second.get(rank).epochs())
                    .extracting(EpochFinished::epoch)
                    .containsExactly(3, 4);
        }
    }

    /** Counters of a rank and its tensors, of which the weights are the first. */
    private record State(List<Long> numbers, List<List<Float>> tensors) {

        /** Copies the recovery point of a rank without its training time. */
        static State of(TestingReplicas trained, int rank) {
            RetainedState state =
                    requireNonNull(requireNonNull(trained.working().get(rank)).retain());
            List<Long> numbers = new ArrayList<>(state.numbers());
            numbers.set(RankState.TRAINED, 0L);
            return new State(
                    numbers, state.tensors().stream().map(TestingReplicas::floats).toList());
        }
    }

    /** A training that has no epoch left keeps the state with which it began. */
    @Test
    void adPsgdResumesWithTheWholeStateOfEachReplica() throws Exception {
        TestingReplicas first = replicas.with(_ -> stored.stopping());
        first.train(TestingTask.plan(AD_PSGD, MOMENTUM, EPOCHS, SHARES));
        TestingReplicas resumed = replicas.with(_ -> stored.resuming());
        resumed.train(TestingTask.plan(AD_PSGD, MOMENTUM, STOP, SHARES));

        for (int rank = 0; rank < SHARES.size(); rank++) {
            assertThat(State.of(resumed, rank)).isEqualTo(State.of(first, rank));
        }
        assertThat(State.of(resumed, 0)).isNotEqualTo(State.of(resumed, 2));
    }

    static Stream<Arguments> otherGroups() {
        return Stream.of(
                Arguments.of(ONE_GROUP, new Grouping(List.of(List.of(2, 0, 1)), List.of(1, 9, 2))),
                Arguments.of(
                        TWO_GROUPS,
                        new Grouping(List.of(List.of(3, 1), List.of(2, 0)), List.of(2, 10))));
    }

    /** Sums in another order change the last bits, and lost optimizer state would change more. */
    @ParameterizedTest
    @MethodSource("otherGroups")
    void hybridRunResumesInOtherGroups(Grouping before, Grouping after) throws Exception {
        TrainingPlan plan = TestingTask.hybridPlan(UNCLIPPED, EPOCHS, before);
        List<Float> whole = replicas.train(plan).getFirst().parameters();
        List<Outcome> first = replicas.with(_ -> stored.stopping()).train(plan);
        TestingReplicas resumed = replicas.with(_ -> stored.resuming());

        List<Outcome> second = resumed.train(TestingTask.hybridPlan(UNCLIPPED, EPOCHS, after));

        for (int rank = 0; rank < second.size(); rank++) {
            assertThat(resumed.begun()).containsEntry(rank, checksums(first.get(rank)).getLast());
            List<Float> parameters = second.get(rank).parameters();
            for (int i = 0; i < whole.size(); i++) {
                assertThat(parameters.get(i)).isCloseTo(whole.get(i), within(TOLERANCE));
            }
        }
    }

    @Test
    void curveContinuesWithoutGapOrRepetition() throws Exception {
        TrainingPlan plan = plan(new Synchronization.Bsp(), MOMENTUM);

        Outcome first = replicas.with(_ -> stored.stopping()).train(plan).getFirst();
        Outcome second = replicas.with(_ -> stored.resuming()).train(plan).getFirst();

        List<Long> steps = new ArrayList<>(steps(first));
        steps.addAll(steps(second));
        assertThat(steps).isEqualTo(LongStream.rangeClosed(1, EPOCHS * ROUNDS).boxed().toList());
        assertThat(firstSeconds(second)).isGreaterThan(lastSeconds(first));
    }

    private static double firstSeconds(Outcome outcome) {
        return seconds(outcome).getFirst();
    }

    private static double lastSeconds(Outcome outcome) {
        return seconds(outcome).getLast();
    }

    private static List<Double> seconds(Outcome outcome) {
        return outcome.events().stream()
                .filter(Observed.class::isInstance)
                .map(Observed.class::cast)
                .flatMap(it -> it.seconds().stream())
                .toList();
    }

    @Test
    void trainsOnWhenTheCheckpointIsNotTaken() throws Exception {
        TrainingPlan plan = plan(new Synchronization.Bsp(), MOMENTUM);
        List<Outcome> whole = replicas.train(plan);

        List<Outcome> refused = replicas.with(_ -> stored.of(0, true, false)).train(plan);

        for (int rank = 0; rank < SHARES.size(); rank++) {
            assertThat(checksums(refused.get(rank))).isEqualTo(checksums(whole.get(rank)));
            assertThat(refused.get(rank).events()).noneMatch(Preempted.class::isInstance);
        }
    }

    @Test
    void trainsOnWhenOnePartIsNotTaken() throws Exception {
        TrainingPlan plan = plan(new Synchronization.Bsp(), MOMENTUM);

        List<Outcome> refused = replicas.with(rank -> stored.of(0, true, rank != 1)).train(plan);

        assertThat(refused).allSatisfy(it -> assertThat(it.epochs()).hasSize(EPOCHS));
    }

    static Stream<Arguments> methodsThatAllowJoining() {
        return methods()
                .filter(it -> !String.valueOf(it.get()[0]).contains("servers"))
                .filter(it ->
                        it.get()[1] instanceof TrainingPlan plan
                                && !plan.method().keepsCopiesOfNeighbors());
    }

    /** Residuals of ranks that no longer exist are lost, and joining ranks start without any. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("methodsThatAllowJoining")
    void resumesWithMoreOrFewerRanks(String name, TrainingPlan plan) throws Exception {
        replicas.with(_ -> stored.stopping()).train(plan);

        for (List<Integer> shares : List.of(List.of(40, 30, 20, 9), List.of(60, 39))) {
            var other = TestingTask.plan(plan.method(), plan.optimizer(), EPOCHS, shares);
            List<Outcome> outcomes = replicas.with(_ -> stored.resuming()).train(other);

            assertThat(outcomes)
                    .allSatisfy(it ->
                            assertThat(it.epochs())
                                    .extracting(EpochFinished::epoch)
                                    .containsExactly(3, 4));
            if (plan.method().replicatesState(ROUNDS, plan.optimizer())) {
                assertThat(outcomes)
                        .extracting(Outcome::parameters)
                        .containsOnly(outcomes.getFirst().parameters());
            }
        }
    }

    @Test
    void supportForStoppingChangesNothing() throws Exception {
        TrainingPlan plan = plan(new Synchronization.Bsp(), ADAM);

        List<Outcome> stoppable = replicas.with(_ -> stored.of(0, false, true)).train(plan);

        assertThat(stoppable.getFirst().parameters())
                .isEqualTo(replicas.train(plan).getFirst().parameters());
        assertThat(stored.count()).isZero();
    }
}
