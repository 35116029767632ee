package dev.equipoise.agent.optimizer;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.protocol.Clipping;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.Schedule;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CoupledDecayTest {

    private static final double DECAY = 0.3;
    private static final Schedule CONSTANT = new Schedule.Constant(0);
    private static final Clipping NONE = new Clipping.None();

    /** More than one block, with a partial last one. */
    private static final int SIZE = Block.MAX_LENGTH + 37;

    /** Step of the central differences, in float64: an error of about its square. */
    private static final double DIFFERENCE = 1e-5;

    /** Ten float32 steps of 0.05 at most on parameters of about 1. */
    private static final double TOLERANCE = 2e-5;

    /** Optimizers with and without weight decay. */
    record Kind(String name, OptimizerSpec decayed, OptimizerSpec plain) {

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Kind> kinds() {
        return Stream.of(
                new Kind("sgd", sgd(0, false, DECAY), sgd(0, false, 0)),
                new Kind("momentum", sgd(0.9, false, DECAY), sgd(0.9, false, 0)),
                new Kind("nesterov", sgd(0.9, true, DECAY), sgd(0.9, true, 0)),
                new Kind("adam", adam(DECAY), adam(0)));
    }

    private static OptimizerSpec sgd(double momentum, boolean nesterov, double decay) {
        return new OptimizerSpec.Sgd(0.05, momentum, nesterov, decay, CONSTANT, NONE);
    }

    /** The epsilon keeps steps smooth in the gradient, so that errors of differences stay small. */
    private static OptimizerSpec adam(double decay) {
        return new OptimizerSpec.Adam(0.05, 0.9, 0.99, 0.1, decay, CONSTANT, NONE);
    }

    /** Loss whose gradient has a closed form: sum of cos(w_i + i) + 0.1 w_i w_(i+1). */
    private static double loss(double[] w) {
        double sum = 0;
        for (int i = 0; i < w.length; i++) {
            sum += Math.cos(w[i] + i) + 0.1 * w[i] * w[(i + 1) % w.length];
        }
        return sum;
    }

    private static double penalizedLoss(double[] w) {
        double squares = 0;
        for (double each : w) {
            squares += each * each;
        }
        return loss(w) + DECAY / 2 * squares;
    }

    private static float[] gradientOfLoss(double[] w) {
        float[] gradient = new float[w.length];
        for (int i = 0; i < w.length; i++) {
            double neighbors = w[(i + 1) % w.length] + w[(i + w.length - 1) % w.length];
            gradient[i] = (float) (-Math.sin(w[i] + i) + 0.1 * neighbors);
        }
        return gradient;
    }

    private static float[] differences(ToDoubleFunction<double[]> function, double[] w) {
        float[] gradient = new float[w.length];
        for (int i = 0; i < w.length; i++) {
            double[] above = w.clone();
            double[] below = w.clone();
            above[i] += DIFFERENCE;
            below[i] -= DIFFERENCE;
            gradient[i] =
                    (float)
                            ((function.applyAsDouble(above) - function.applyAsDouble(below))
                                    / (2 * DIFFERENCE));
        }
        return gradient;
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void decayedOptimizerDescendsThePenalizedLoss(Kind kind) {
        Optimizer decayed = Optimizer.of(kind.decayed(), 10, 1);
        Optimizer plain = Optimizer.of(kind.plain(), 10, 1);
        MemorySegment actual = noise(6, 1);
        MemorySegment expected = noise(6, 1);
        OptimizerState decayedState = decayed.initialState(6, Arena.ofAuto());
        OptimizerState plainState = plain.initialState(6, Arena.ofAuto());

        for (int step = 1; step <= 10; step++) {
            decayedState =
                    decayed.step(decayedState, actual, vector(gradientOfLoss(doubles(actual))));
            plainState =
                    plain.step(
                            plainState,
                            expected,
                            vector(
                                    differences(
                                            CoupledDecayTest::penalizedLoss, doubles(expected))));

            for (int i = 0; i < 6; i++) {
                assertThat(actual.getAtIndex(JAVA_FLOAT, i))
                        .as("parameter %d after step %d", i, step)
                        .isCloseTo(expected.getAtIndex(JAVA_FLOAT, i), within((float) TOLERANCE));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void decayShrinksParametersWithoutGradient(Kind kind) {
        Optimizer decayed = Optimizer.of(kind.decayed(), 10, 1);
        MemorySegment parameters = noise(SIZE, 1);
        double before = new Norm().of(parameters);
        OptimizerState state = decayed.initialState(SIZE, Arena.ofAuto());
        MemorySegment none = Arena.ofAuto().allocate(JAVA_FLOAT, SIZE);
        for (int step = 0; step < 5; step++) {
            state = decayed.step(state, parameters, none);
        }

        assertThat(new Norm().of(parameters)).isLessThan(0.95 * before);
    }

    /** The gradient has a negative zero, which an added 0 * w would turn into a positive one. */
    @Test
    void decayOfZeroKeepsTheBits() {
        MemorySegment gradient = noise(SIZE, 2);
        gradient.setAtIndex(JAVA_FLOAT, 3, -0.0f);
        Block block = new Block(0);
        block.load(0, Block.MAX_LENGTH, noise(SIZE, 1), gradient, stateless());

        new CoupledDecay(0).apply(block, Scaling.NONE);

        assertThat(block.gradient())
                .containsExactly(gradient.asSlice(0, 4L * Block.MAX_LENGTH).toArray(JAVA_FLOAT));
        assertThat(Float.floatToRawIntBits(block.gradient()[3]))
                .isEqualTo(Float.floatToRawIntBits(-0.0f));
    }

    @Test
    void decayJoinsTheClippedGradient() {
        var spec = new OptimizerSpec.Sgd(0.5, 0, false, 0.25, CONSTANT, new Clipping.Value(1));
        Optimizer optimizer = Optimizer.of(spec, 1, 1);
        MemorySegment parameters = vector(8, -8);

        step(optimizer, parameters, vector(100, -100), 1);

        // 8 - 0.5 (1 + 0.25 * 8)
        assertThat(parameters.toArray(JAVA_FLOAT)).containsExactly(6.5f, -6.5f);
    }

    /** With a weight decay, the backend's own step would leave it out. */
    @Test
    void decayedSgdLeavesTheBackendsDescentAlone() {
        Optimizer optimizer =
                Optimizer.of(
                        sgd(0, false, 0.5),
                        1,
                        1,
                        Optional.of((_, _, _) -> {
                            throw new AssertionError("the backend knows no weight decay");
                        }));
        MemorySegment parameters = vector(2);

        step(optimizer, parameters, vector(3), 1);

        assertThat(parameters.get(JAVA_FLOAT, 0)).isEqualTo(2 - 0.05f * (3 + 0.5f * 2));
    }

    /** Parameters that are the weights times a mass decay by the weights. */
    @ParameterizedTest
    @MethodSource("kinds")
    void decayTakesTheWeightsOfAPushSumVector(Kind kind) {
        Optimizer optimizer = Optimizer.of(kind.decayed(), 1, 1);
        MemorySegment weights = vector(1, -3);
        MemorySegment weighted = vector(0.5f, -1.5f);

        step(optimizer, weights, vector(0.25f, 2), 1);
        step(optimizer, weighted, vector(0.25f, 2), 0.5);

        for (int i = 0; i < 2; i++) {
            float step = weights.getAtIndex(JAVA_FLOAT, i) - List.of(1f, -3f).get(i);
            float weightedStep = weighted.getAtIndex(JAVA_FLOAT, i) - List.of(0.5f, -1.5f).get(i);
            assertThat(weightedStep).isCloseTo(step, within(1e-6f));
        }
    }

    private static void step(
            Optimizer optimizer, MemorySegment parameters, MemorySegment gradient, double mass) {
        int length = (int) (parameters.byteSize() / Float.BYTES);
        OptimizerState first = optimizer.initialState(length, Arena.ofAuto());
        double rate = optimizer.learningRate(first);
        OptimizerState next =
                optimizer.stepAtRate(first, parameters, gradient, rate, Scaling.ofWeights(mass));
        assertThat(next.steps()).isEqualTo(1);
    }

    private static OptimizerState stateless() {
        return new OptimizerState(0, List.of());
    }

    private static MemorySegment noise(int size, long seed) {
        var random = new SplittableRandom(seed);
        MemorySegment noise = Arena.ofAuto().allocate(JAVA_FLOAT, size);
        for (int i = 0; i < size; i++) {
            noise.setAtIndex(JAVA_FLOAT, i, (float) random.nextGaussian());
        }
        return noise;
    }

    private static MemorySegment vector(float... values) {
        return Arena.ofAuto().allocateFrom(JAVA_FLOAT, values);
    }

    private static double[] doubles(MemorySegment vector) {
        return vector.elements(JAVA_FLOAT).mapToDouble(each -> each.get(JAVA_FLOAT, 0)).toArray();
    }
}
