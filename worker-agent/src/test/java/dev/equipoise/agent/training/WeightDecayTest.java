package dev.equipoise.agent.training;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.agent.TestingPlan;
import dev.equipoise.agent.dataset.DatasetSplit;
import dev.equipoise.agent.dataset.TestingDatasets;
import dev.equipoise.agent.time.SystemTime;
import dev.equipoise.protocol.Clipping;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.Schedule;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Synchronization.LocalSgd;
import dev.equipoise.protocol.Synchronization.Momentum;
import dev.equipoise.protocol.Synchronization.Order;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.Topology.Gossip;
import dev.equipoise.protocol.Topology.Mixing;
import dev.equipoise.protocol.Topology.Partners;
import dev.equipoise.protocol.Topology.Payload;
import dev.equipoise.protocol.TrainingPlan;
import dev.equipoise.protocol.TrainingPlan.EpochDivision;
import dev.equipoise.protocol.dataset.DatasetSpec;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Layer;
import dev.equipoise.protocol.network.Shape;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Trains by every synchronization method with a weight decay. */
class WeightDecayTest {

    private static final int CLASSES = 4;
    private static final int SAMPLES = 96;
    private static final int ROUNDS = 8;
    private static final int EPOCHS = 4;
    private static final double RATE = 0.1;
    private static final double DECAY = 0.2;

    /** Tolerance for float32 sums in another order, over 32 steps. */
    private static final double TOLERANCE = 1e-5;

    private static final Architecture NETWORK =
            new Architecture(
                    "tiny",
                    new Shape.Image(6, 6, 1),
                    List.of(
                            new Layer.Flatten(),
                            new Layer.Dense(8),
                            new Layer.Relu(),
                            new Layer.Dense(CLASSES)));
    private static final DatasetSplit DATA =
            TestingDatasets.noisyPatterns(NETWORK.input(), CLASSES, SAMPLES, 40, 1);
    private static final Topology RING = Topology.AllReduce.by(Topology.Algorithm.RING);
    private static final Compression NONE = new Compression.None();

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
                new Method(new Synchronization.Bsp(), server(1), NONE),
                new Method(new Synchronization.Bsp(), server(2), NONE),
                new Method(new LocalSgd(1, Order.STEP_THEN_AVERAGE, Momentum.LOCAL), RING, NONE),
                new Method(
                        new LocalSgd(1, Order.STEP_THEN_AVERAGE, Momentum.LOCAL), server(1), NONE),
                // Three ranks at distance one are all ranks.
                gossip(Payload.GRADIENT, Mixing.UNIFORM),
                gossip(Payload.WEIGHTS, Mixing.UNIFORM),
                gossip(Payload.UPDATE, Mixing.UNIFORM));
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
        var local = new LocalSgd(4, Order.STEP_THEN_AVERAGE, Momentum.LOCAL);
        List<Float> expected = train(plan(new Method(local, RING, NONE), DECAY));

        var diLoCo = new Method(new Synchronization.DiLoCo(4, 1, 0), RING, NONE);

        assertThat(distance(train(plan(diLoCo, DECAY)), expected)).isLessThan(TOLERANCE);
    }

    private List<Float> train(TrainingPlan plan) throws InterruptedException {
        return replicas.train(plan).getLast().parameters();
    }

    private static TrainingPlan plan(Method method, double decay) {
        int servers = method.topology().servers();
        List<Integer> shares =
                IntStream.range(-servers, 3)
                        .map(place -> place < 0 ? 0 : SAMPLES / 3)
                        .boxed()
                        .toList();
        var optimizer =
                new OptimizerSpec.Sgd(
                        RATE, 0, false, decay, new Schedule.Constant(0), new Clipping.None());
        return TestingPlan.with(
                TestingPlan.with(
                        TestingPlan.of(
                                new DatasetSpec.Synthetic(
                                        List.of(6, 6, 1), CLASSES, SAMPLES, 1, SAMPLES),
                                NETWORK,
                                optimizer,
                                EpochDivision.of(shares, ROUNDS)),
                        method),
                EPOCHS);
    }

    private static Topology server(int servers) {
        return new Topology.ParameterServer(servers, false, Topology.Aggregate.MEAN);
    }

    private static Method gossip(Payload payload, Mixing mixing) {
        return new Method(
                new LocalSgd(1, Order.STEP_THEN_AVERAGE, Momentum.LOCAL),
                new Gossip(new Partners.Fixed(1), payload, mixing, 0),
                NONE);
    }

    private static double norm(List<Float> weights) {
        return Math.sqrt(weights.stream().mapToDouble(it -> (double) it * it).sum());
    }

    private static double distance(List<Float> one, List<Float> other) {
        return IntStream.range(0, one.size())
                .mapToDouble(i -> Math.abs(one.get(i) - other.get(i)))
                .max()
                .orElseThrow();
    }
}
