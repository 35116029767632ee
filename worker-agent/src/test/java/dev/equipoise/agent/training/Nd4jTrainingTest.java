package dev.equipoise.agent.training;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.agent.TestingPlan;
import dev.equipoise.agent.network.Backends;
import dev.equipoise.agent.network.step.Backend;
import dev.equipoise.agent.network.step.BackendKind;
import dev.equipoise.agent.time.SystemTime;
import dev.equipoise.agent.training.TestingReplicas.Outcome;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.Grouping;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.TrainingPlan;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Trains with ND4J's own operations, on all ranks or beside oneDNN. */
class Nd4jTrainingTest {

    private static final Backend ND4J = Backends.load(BackendKind.ND4J);

    /** Tolerance of weights after 12 to 96 steps whose gradients differ by roundings of float32. */
    private static final double TOLERANCE = 1e-4;

    private final TestingReplicas replicas = new TestingReplicas(MethodsTest.DATA, SystemTime::new);

    static Stream<Method> methods() {
        return MethodsTest.methods();
    }

    @ParameterizedTest
    @MethodSource("methods")
    void everyMethodLearns(Method method) throws Exception {
        List<Outcome> outcomes = replicas.computingOn(_ -> ND4J).train(MethodsTest.plan(method, 4));

        assertThat(outcomes)
                .allSatisfy(it -> assertThat(accuracy(it.epochs().getLast())).isGreaterThan(0.8));
    }

    private static double accuracy(EpochFinished epoch) {
        return requireNonNull(epoch.test()).accuracy();
    }

    static Stream<TrainingPlan> plansWithEqualReplicas() {
        return Stream.of(
                MethodsTest.plan(TestingPlan.BSP, 4),
                MethodsTest.plan(
                        TestingMethods.bsp(TestingMethods.servers(1), TestingMethods.NONE), 4));
    }

    /** The steps of all backends have the same bits, and every rank gets the same sums. */
    @ParameterizedTest
    @MethodSource("plansWithEqualReplicas")
    void replicasOnBothBackendsStayEqual(TrainingPlan plan) throws Exception {
        int servers = plan.method().topology().servers();

        List<Outcome> mixed = onBoth(replicas).train(plan);

        List<Float> weights = mixed.getLast().parameters();
        assertThat(mixed.subList(servers, mixed.size()))
                .allSatisfy(it -> assertThat(it.parameters()).isEqualTo(weights))
                .allSatisfy(it ->
                        assertThat(it.epochs())
                                .extracting(EpochFinished::difference)
                                .containsOnlyNulls());
        assertNear(weights, replicas.train(plan).getLast().parameters());
    }

    /** Each rank of a group computes its own hidden units. */
    @Test
    void groupsOfBothBackendsShareHiddenUnits() throws Exception {
        var data = new TestingReplicas(TestingTask.DATA, SystemTime::new);
        TrainingPlan plan =
                TestingTask.hybridPlan(
                        TestingTask.UNCLIPPED,
                        3,
                        new Grouping(List.of(List.of(0, 1)), List.of(5, 7)));

        List<Float> mixed = onBoth(data).train(plan).getFirst().parameters();

        assertNear(mixed, data.train(plan).getFirst().parameters());
    }

    @Test
    void trainsALanguageModel() throws Exception {
        var data = new TestingReplicas(TestingTask.WORDS, SystemTime::new);
        TrainingPlan plan = TestingTask.languagePlan(TestingPlan.BSP, 2, List.of(50, 49));

        List<Float> weights = data.computingOn(_ -> ND4J).train(plan).getFirst().parameters();

        assertNear(weights, data.train(plan).getFirst().parameters());
    }

    private static TestingReplicas onBoth(TestingReplicas replicas) {
        return replicas.computingOn(rank -> rank % 2 == 0 ? TestingReplicas.BACKEND : ND4J);
    }

    private static void assertNear(List<Float> weights, List<Float> wanted) {
        assertThat(TestingMethods.distance(weights, wanted)).isLessThan(TOLERANCE);
    }
}
