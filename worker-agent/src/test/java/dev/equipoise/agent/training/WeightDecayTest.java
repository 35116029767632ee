package dev.equipoise.agent.training;

import static dev.equipoise.agent.training.TestingMethods.CLASSES;
import static dev.equipoise.agent.training.TestingMethods.NETWORK;
import static dev.equipoise.agent.training.TestingMethods.NONE;
import static dev.equipoise.agent.training.TestingMethods.RING;
import static dev.equipoise.agent.training.TestingMethods.bsp;
import static dev.equipoise.agent.training.TestingMethods.distance;
import static dev.equipoise.agent.training.TestingMethods.gossip;
import static dev.equipoise.agent.training.TestingMethods.local;
import static dev.equipoise.agent.training.TestingMethods.servers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.agent.TestingPlan;
import dev.equipoise.agent.dataset.DatasetSplit;
import dev.equipoise.agent.dataset.TestingDatasets;
import dev.equipoise.agent.time.SystemTime;
import dev.equipoise.protocol.Clipping;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.Schedule;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology.Mixing;
import dev.equipoise.protocol.Topology.Payload;
import dev.equipoise.protocol.TrainingPlan;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Trains by every synchronization method with a weight decay. */
class WeightDecayTest {

    private static final int SAMPLES = 96;
    private static final int ROUNDS = 8;
    private static final int EPOCHS = 4;
    private static final double RATE = 0.1;
    private static final double DECAY = 0.2;

    /** Tolerance for float32 sums in another order, over 32 steps. */
    private static final double TOLERANCE = 1e-5;

    private static final DatasetSplit DATA =
            TestingDatasets.noisyPatterns(NETWORK.input(), CLASSES, SAMPLES, 40, 1);
    private final TestingReplicas replicas = new TestingReplicas(DATA, SystemTime::new);

    static Stream<Method> methods() {
        return MethodsTest.methods();
    }

    /**
     * A decay of {@value #DECAY} multiplies weights without gradient by 0.98 in each of 32 steps,
     * which halves them.
     */
    @ParameterizedTest
    @MethodSource("methods")
    void everyMethodShrinksItsWeights(Method method) throws Exception {
        double plain = norm(train(plan(method, 0)));
        double decayed = norm(train(plan(method, DECAY)));

        assertThat(decayed).isLessThan(0.85 * plain);
    }

    /** Methods that compute the weights of BSP, up to the order of their sums. */
    static Stream<Method> methodsLikeBsp() {
        return Stream.of(
                bsp(servers(1), NONE),
                bsp(servers(2), NONE),
                local(1, RING, NONE),
                local(1, servers(1), NONE),
                // Three ranks at distance one are all ranks.
                gossip(1, Payload.GRADIENT, Mixing.UNIFORM, NONE),
                gossip(1, Payload.WEIGHTS, Mixing.UNIFORM, NONE),
                gossip(1, Payload.UPDATE, Mixing.UNIFORM, NONE));
    }

    @ParameterizedTest
    @MethodSource("methodsLikeBsp")
    void decayIsAppliedOnce(Method method) throws Exception {
        List<Float> expected = train(plan(TestingPlan.BSP, DECAY));

        assertThat(distance(train(plan(method, DECAY)), expected)).isLessThan(TOLERANCE);
        assertThat(distance(train(plan(method, 0)), expected)).isGreaterThan(1000 * TOLERANCE);
    }

    /** The pseudogradients of the inner steps contain the decay, and the outer step has none. */
    @Test
    void outerOptimizerOfDiLoCoDoesNotDecay() throws Exception {
        List<Float> expected = train(plan(local(4, RING, NONE), DECAY));

        var diLoCo = new Method(new Synchronization.DiLoCo(4, 1, 0), RING, NONE);

        assertThat(distance(train(plan(diLoCo, DECAY)), expected)).isLessThan(TOLERANCE);
    }

    private List<Float> train(TrainingPlan plan) throws InterruptedException {
        return replicas.train(plan).getLast().parameters();
    }

    private static TrainingPlan plan(Method method, double decay) {
        var optimizer =
                new OptimizerSpec.Sgd(
                        RATE, 0, false, decay, new Schedule.Constant(0), new Clipping.None());
        return TestingMethods.plan(
                method, Collections.nCopies(3, SAMPLES / 3), ROUNDS, EPOCHS, optimizer);
    }

    private static double norm(List<Float> weights) {
        return Math.sqrt(weights.stream().mapToDouble(it -> (double) it * it).sum());
    }
}
