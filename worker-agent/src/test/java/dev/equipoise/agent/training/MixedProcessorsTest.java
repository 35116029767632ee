package dev.equipoise.agent.training;

import static dev.equipoise.agent.training.TestingTask.ADAM;
import static dev.equipoise.agent.training.TestingTask.DATA;
import static dev.equipoise.agent.training.TestingTask.SGD;
import static dev.equipoise.agent.training.TestingTask.localSgd;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.agent.TestingPlan;
import dev.equipoise.agent.time.SystemBackground;
import dev.equipoise.agent.time.SystemTime;
import dev.equipoise.agent.training.TestingReplicas.Outcome;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.Continuation;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.EpochFinished.ConsensusDistance;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.Observation;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.Position;
import dev.equipoise.protocol.ReplicaDistance;
import dev.equipoise.protocol.RunReport.RoundReached;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Synchronization.Momentum;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.Topology.Algorithm;
import dev.equipoise.protocol.TrainingPlan;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The processor of one replica rounds otherwise than those of the others. */
class MixedProcessorsTest {

    private static final int EPOCHS = 3;
    private static final List<Integer> SHARES = List.of(40, 35, 24);

    /** More than rounding may change in this many rounds. */
    private static final double MOST = 1e-3;

    private static final Compression NONE = new Compression.None();
    private static final Synchronization BSP = new Synchronization.Bsp();

    private final TestingReplicas replicas = new TestingReplicas(DATA, SystemTime::new);
    private final TestingCheckpoints stored = new TestingCheckpoints();

    private static Topology ring() {
        return Topology.AllReduce.by(Algorithm.RING);
    }

    private static Topology server() {
        return new Topology.ParameterServer(1, false, Topology.Aggregate.MEAN);
    }

    private static Arguments method(
            String name,
            Synchronization synchronization,
            Topology topology,
            Compression compression,
            OptimizerSpec optimizer) {
        return Arguments.of(
                name, plan(new Method(synchronization, topology, compression), optimizer));
    }

    private static TrainingPlan plan(Method method, OptimizerSpec optimizer) {
        List<Integer> shares = new ArrayList<>(Collections.nCopies(method.topology().servers(), 0));
        shares.addAll(SHARES);
        return TestingTask.plan(method, optimizer, EPOCHS, shares);
    }

    private static TrainingPlan ringPlan(OptimizerSpec optimizer) {
        return plan(new Method(BSP, ring(), NONE), optimizer);
    }

    static Stream<Arguments> methodsWithEqualReplicas() {
        return Stream.of(
                method("sgd over a ring", BSP, ring(), NONE, SGD),
                method("adam over a ring", BSP, ring(), NONE, ADAM),
                method("sgd over a tree", BSP, Topology.AllReduce.by(Algorithm.TREE), NONE, SGD),
                method("sgd over a server", BSP, server(), NONE, SGD),
                method(
                        "adam, overlapped",
                        new Synchronization.Bsp(true, 0.0002, 0.0002),
                        ring(),
                        NONE,
                        ADAM),
                method("adam by top-k", BSP, ring(), new Compression.TopK(0.2, true), ADAM));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("methodsWithEqualReplicas")
    void distancesAreMeasuredAfterEveryEpoch(String name, TrainingPlan plan) throws Exception {
        int first = plan.method().topology().servers();
        int last = plan.division().ranks() - 1;

        List<Outcome> outcomes = replicas.roundingOtherwiseOn(last).train(plan);

        assertThat(outcomes).allSatisfy(it -> assertThat(it.epochs()).hasSize(EPOCHS));
        for (Outcome outcome : outcomes) {
            assertThat(outcome.epochs())
                    .extracting(EpochFinished::distance)
                    .allSatisfy(MixedProcessorsTest::assertMeasured);
        }
        assertThat(outcomes.get(last).epochs())
                .extracting(EpochFinished::difference)
                .allSatisfy(it -> assertFrom(first, it));
        for (Outcome outcome : outcomes.subList(0, last)) {
            assertThat(outcome.epochs()).extracting(EpochFinished::difference).containsOnlyNulls();
        }
    }

    private static void assertMeasured(@Nullable ConsensusDistance distance) {
        ConsensusDistance measured = requireNonNull(distance);
        assertThat(measured.absolute()).isPositive();
        assertThat(measured.relative()).isPositive().isLessThan(MOST);
    }

    private static void assertFrom(int rank, @Nullable ReplicaDistance distance) {
        ReplicaDistance measured = requireNonNull(distance);
        assertThat(measured.from()).isEqualTo(rank);
        assertThat(measured.absolute()).isPositive();
        assertThat(measured.relative()).isPositive().isLessThan(MOST);
    }

    @Test
    void epochWithoutEvaluationHasADistanceIfReplicasDiffer() throws Exception {
        TrainingPlan plan = TestingPlan.with(ringPlan(SGD), Observation.every(EPOCHS));

        EpochFinished differing =
                replicas.roundingOtherwiseOn(2).train(plan).getFirst().epochs().getFirst();
        EpochFinished equal = replicas.train(plan).getFirst().epochs().getFirst();

        assertThat(differing.test()).isNull();
        assertMeasured(differing.distance());
        assertThat(equal.distance()).isNull();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("methodsWithEqualReplicas")
    void equalReplicasHaveNoDistance(String name, TrainingPlan plan) throws Exception {
        for (Outcome outcome : replicas.train(plan)) {
            assertThat(outcome.epochs())
                    .extracting(EpochFinished::distance)
                    .containsOnly(new ConsensusDistance(0, 0));
            assertThat(outcome.epochs()).extracting(EpochFinished::difference).containsOnlyNulls();
        }
    }

    /** Ranks then exchange the frames of protocol 0.1, which assumes that replicas are equal. */
    @Test
    void distanceThatNobodyMeasuresIsNotReported() throws Exception {
        TestingReplicas mixed = replicas.roundingOtherwiseOn(2).withoutComparison();

        for (Outcome outcome : mixed.train(ringPlan(SGD))) {
            assertThat(outcome.epochs()).hasSize(EPOCHS);
            assertThat(outcome.epochs()).extracting(EpochFinished::distance).containsOnlyNulls();
            assertThat(outcome.epochs()).extracting(EpochFinished::difference).containsOnlyNulls();
        }
    }

    /** Servers have no weights, so that ranks of protocol 0.1 measure the distance as well. */
    @Test
    void distanceAtAServerIsMeasuredWithoutAComparison() throws Exception {
        TestingReplicas mixed = replicas.roundingOtherwiseOn(2).withoutComparison();

        for (Outcome outcome : mixed.train(plan(new Method(BSP, server(), NONE), SGD))) {
            assertThat(outcome.epochs())
                    .extracting(EpochFinished::distance)
                    .allSatisfy(MixedProcessorsTest::assertMeasured);
        }
    }

    /** An average overwrites what each processor has rounded. */
    @Test
    void averagedReplicasAreEqualOnAllProcessors() throws Exception {
        TrainingPlan plan = plan(new Method(localSgd(Momentum.LOCAL), ring(), NONE), SGD);

        for (Outcome outcome : replicas.roundingOtherwiseOn(1).train(plan)) {
            assertThat(outcome.epochs()).extracting(EpochFinished::difference).containsOnlyNulls();
        }
    }

    static Stream<OptimizerSpec> optimizers() {
        return Stream.of(SGD, ADAM);
    }

    /** Returns the states of two ranks that have lost the third one after the same round. */
    private static Map<Integer, RetainedState> states(TrainingPlan plan) throws Exception {
        Map<Integer, RetainedState> states = new ConcurrentHashMap<>();
        TestingReplicas mixed = InterruptedTrainingTest.replicas().roundingOtherwiseOn(1);
        InterruptedTrainingTest.run(
                mixed,
                plan,
                rank ->
                        event -> {
                            if (event.equals(new RoundReached(rank, 2, 3))) {
                                states.put(
                                        rank,
                                        InterruptedTrainingTest.state(mixed.working().get(rank)));
                            }
                        });
        states.remove(InterruptedTrainingTest.VICTIM);
        return states;
    }

    private static RetainedState stateOf(int rank, Map<Integer, RetainedState> states) {
        return requireNonNull(states.get(rank));
    }

    @ParameterizedTest
    @MethodSource("optimizers")
    void survivorsContinueWithTheWeightsOfTheFirst(OptimizerSpec optimizer) throws Exception {
        Map<Integer, RetainedState> states = states(ringPlan(optimizer));
        Position from = stateOf(0, states).position();
        assertThat(stateOf(1, states).position()).isEqualTo(from);
        String weights = stateOf(0, states).held().parameters();
        assertThat(stateOf(1, states).held().parameters()).isNotEqualTo(weights);
        // The service names the ranks with the weights of the first one.
        var continuation = new Continuation(from, List.of(0));
        TestingReplicas survivors =
                replicas.resuming(rank ->
                        new ResumeInstructions(
                                InterruptedTrainingTest.NONE,
                                new SystemBackground(),
                                continuation,
                                stateOf(rank, states)));

        List<Outcome> after =
                survivors.train(
                        TestingTask.plan(
                                new Method(BSP, ring(), NONE), optimizer, EPOCHS, List.of(53, 46)));

        assertThat(survivors.begun()).containsOnly(Map.entry(0, weights), Map.entry(1, weights));
        assertThat(requireNonNull(survivors.ready().get(0)).replaced()).isNull();
        assertFrom(0, requireNonNull(survivors.ready().get(1)).replaced());
        assertThat(after.get(1).parameters()).isEqualTo(after.get(0).parameters());
        assertThat(after.get(0).epochs()).extracting(EpochFinished::epoch).containsExactly(2, 3);
    }

    static Stream<Arguments> preempted() {
        return Stream.of(
                method("sgd over a ring", BSP, ring(), NONE, SGD),
                method("adam over a ring", BSP, ring(), NONE, ADAM),
                method("sgd over a server", BSP, server(), NONE, SGD));
    }

    /** Over a ring all ranks load the weights of rank 0; else each has its own, if they differ. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("preempted")
    void preemptedReplicasResumeWithTheWeightsOfTheFirst(String name, TrainingPlan plan)
            throws Exception {
        int first = plan.method().topology().servers();
        int last = plan.division().ranks() - 1;
        List<Outcome> before =
                replicas.roundingOtherwiseOn(last).with(_ -> stored.stopping()).train(plan);
        String weights = before.get(first).epochs().getLast().parameters();
        assertThat(before.get(last).epochs().getLast().parameters()).isNotEqualTo(weights);
        TestingReplicas resumed = replicas.with(_ -> stored.resuming());

        List<Outcome> after = resumed.train(plan);

        for (int rank = first; rank <= last; rank++) {
            assertThat(resumed.begun()).containsEntry(rank, weights);
            assertThat(after.get(rank).parameters()).isEqualTo(after.get(first).parameters());
        }
        ReplicaDistance replaced = requireNonNull(resumed.ready().get(last)).replaced();
        if (first == 0) {
            assertThat(replaced).isNull();
        } else {
            assertFrom(first, replaced);
        }
    }
}
