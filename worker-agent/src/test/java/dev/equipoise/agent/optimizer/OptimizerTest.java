package dev.equipoise.agent.optimizer;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.agent.AllocationTrials;
import dev.equipoise.protocol.Clipping;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.Schedule;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class OptimizerTest {

    /** Tolerance of float32 parameters of about 1 over 12 steps, against float64. */
    private static final double TOLERANCE = 2e-6;

    /** More than one block, with a partial last one. */
    private static final int SIZE = Block.MAX_LENGTH + 101;

    private static final int MAX_BYTES_PER_STEP = 1024;

    private static final Schedule CONSTANT = new Schedule.Constant(0);
    private static final Schedule STEP = new Schedule.Step(2, 0.1, 0);
    private static final double WARM_UP = 4.0 / 3;
    private static final double DECAY = 0.5;
    private static final Clipping NONE = new Clipping.None();
    private static final Clipping NORM = new Clipping.Norm(5);
    private static final Clipping VALUE = new Clipping.Value(1.5);

    /** Optimizers by their names in the oracle. */
    private static final Map<String, OptimizerSpec> SPECS = new LinkedHashMap<>();

    static {
        SPECS.put("sgd", sgd(0, false, CONSTANT, NONE));
        SPECS.put("sgd, step", sgd(0, false, STEP, NONE));
        SPECS.put("sgd, norm", sgd(0, false, CONSTANT, NORM));
        SPECS.put("sgd, value", sgd(0, false, CONSTANT, VALUE));
        SPECS.put("sgd, decay", decayedSgd(0, false, CONSTANT, NONE));
        SPECS.put("sgd, decay, norm", decayedSgd(0, false, CONSTANT, NORM));
        SPECS.put("momentum", sgd(0.9, false, CONSTANT, NONE));
        SPECS.put("momentum, decay, step", decayedSgd(0.9, false, STEP, NONE));
        SPECS.put(
                "momentum, warm constant, norm",
                sgd(0.9, false, new Schedule.Constant(WARM_UP), NORM));
        SPECS.put("nesterov", sgd(0.9, true, CONSTANT, NONE));
        SPECS.put("nesterov, cosine, value", sgd(0.9, true, new Schedule.Cosine(0, 0), VALUE));
        SPECS.put("nesterov, decay", decayedSgd(0.9, true, CONSTANT, NONE));
        SPECS.put("adam", new OptimizerSpec.Adam(0.01, 0.9, 0.999, 1e-8, CONSTANT, NONE));
        SPECS.put("adam, step, value", new OptimizerSpec.Adam(0.01, 0.9, 0.999, 1e-8, STEP, VALUE));
        SPECS.put(
                "adam, decay, value",
                new OptimizerSpec.Adam(0.01, 0.9, 0.999, 1e-8, DECAY, CONSTANT, VALUE));
        SPECS.put("adamw", adamW(CONSTANT, NONE));
        SPECS.put("adamw, warm cosine, norm", adamW(new Schedule.Cosine(0.2, WARM_UP), NORM));
    }

    private static OptimizerSpec sgd(
            double momentum, boolean nesterov, Schedule schedule, Clipping clipping) {
        return new OptimizerSpec.Sgd(0.1, momentum, nesterov, schedule, clipping);
    }

    private static OptimizerSpec decayedSgd(
            double momentum, boolean nesterov, Schedule schedule, Clipping clipping) {
        return new OptimizerSpec.Sgd(0.1, momentum, nesterov, DECAY, schedule, clipping);
    }

    private static OptimizerSpec adamW(Schedule schedule, Clipping clipping) {
        return new OptimizerSpec.AdamW(0.01, 0.8, 0.99, 1e-6, 0.5, schedule, clipping);
    }

    static Set<String> names() {
        return SPECS.keySet();
    }

    private static Optimizer optimizer(String name, int stepsPerEpoch, int epochs) {
        return Optimizer.of(Objects.requireNonNull(SPECS.get(name)), stepsPerEpoch, epochs);
    }

    private static Optimizer optimizer(String name) {
        return optimizer(name, 10, 5);
    }

    @ParameterizedTest
    @MethodSource("names")
    void followsPyTorch(String name) throws IOException {
        Oracle oracle = Oracle.read();
        Optimizer optimizer = optimizer(name, oracle.stepsPerEpoch(), oracle.epochs());
        MemorySegment parameters = vector(oracle.start());
        OptimizerState state = optimizer.initialState(oracle.start().size(), Arena.ofAuto());

        for (int step = 0; step < oracle.gradients().size(); step++) {
            state = optimizer.step(state, parameters, vector(oracle.gradients().get(step)));

            List<Double> expected = oracle.trajectory(name).get(step);
            for (int i = 0; i < expected.size(); i++) {
                assertThat((double) parameters.getAtIndex(JAVA_FLOAT, i))
                        .as("parameter %d after step %d", i, step)
                        .isCloseTo(expected.get(i), within(TOLERANCE));
            }
        }
        assertThat(state.steps()).isEqualTo(oracle.gradients().size());
    }

    @Test
    void oracleHasAllComparedOptimizers() throws IOException {
        assertThat(Oracle.read().trajectories()).containsOnlyKeys(SPECS.keySet());
    }

    @ParameterizedTest
    @MethodSource("names")
    void continuesFromACopyBitForBit(String name) {
        Optimizer optimizer = optimizer(name);
        MemorySegment parameters = noise(0);
        OptimizerState state = optimizer.initialState(SIZE, Arena.ofAuto());
        for (int step = 1; step <= 5; step++) {
            state = optimizer.step(state, parameters, noise(step));
        }
        MemorySegment laterParameters = vector(floats(parameters));
        OptimizerState later = state.copy(Arena.ofAuto());

        for (int step = 6; step <= 12; step++) {
            state = optimizer.step(state, parameters, noise(step));
        }
        for (int step = 6; step <= 12; step++) {
            later = optimizer.step(later, laterParameters, noise(step));
        }

        assertThat(floats(laterParameters)).isEqualTo(floats(parameters));
        assertThat(later.steps()).isEqualTo(state.steps()).isEqualTo(12);
        assertThat(later.vectors().stream().map(OptimizerTest::floats).toList())
                .isEqualTo(state.vectors().stream().map(OptimizerTest::floats).toList());
    }

    @ParameterizedTest
    @MethodSource("names")
    void keepsTheGradient(String name) {
        Optimizer optimizer = optimizer(name);
        MemorySegment gradient = noise(1);

        OptimizerState unused =
                optimizer.step(optimizer.initialState(SIZE, Arena.ofAuto()), noise(0), gradient);

        assertThat(unused.steps()).isEqualTo(1);
        assertThat(floats(gradient)).isEqualTo(floats(noise(1)));
    }

    @ParameterizedTest
    @MethodSource("names")
    void rejectsVectorsOfUnequalLength(String name) {
        Optimizer optimizer = optimizer(name);
        OptimizerState state = optimizer.initialState(2, Arena.ofAuto());

        assertThatIllegalArgumentException()
                .isThrownBy(() -> optimizer.step(state, vector(1, 2), vector(1)))
                .withMessageContaining("gradient must be as long as the parameters")
                .withMessageContaining("4 bytes against 8");
        if (!state.vectors().isEmpty()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> optimizer.step(state, vector(1), vector(1)))
                    .withMessageContaining("state must be as long as the parameters")
                    .withMessageContaining("8 bytes against 4");
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void factorOneIsThePlainStep(String name) {
        Optimizer optimizer = optimizer(name);
        MemorySegment plain = noise(0);
        MemorySegment scaled = noise(0);
        OptimizerState plainState = optimizer.initialState(SIZE, Arena.ofAuto());
        OptimizerState scaledState = optimizer.initialState(SIZE, Arena.ofAuto());
        for (int i = 0; i < 3; i++) {
            plainState = optimizer.step(plainState, plain, noise(i));
            scaledState = optimizer.step(scaledState, scaled, noise(i), 1);
        }

        assertThat(plain.mismatch(scaled)).isEqualTo(-1);
    }

    /** The rates are powers of two, so that both products round equally. */
    @Test
    void factorScalesTheLearningRateOfOneStep() {
        for (double momentum : new double[] {0, 0.9}) {
            Optimizer half = Optimizer.of(sgd(0.25, momentum), 10, 5);
            Optimizer whole = Optimizer.of(sgd(0.5, momentum), 10, 5);
            MemorySegment expected = noise(0);
            MemorySegment parameters = noise(0);
            half.step(half.initialState(SIZE, Arena.ofAuto()), expected, noise(1));

            OptimizerState state = whole.initialState(SIZE, Arena.ofAuto());
            whole.step(state, parameters, noise(1), 0.5);

            assertThat(parameters.mismatch(expected)).isEqualTo(-1);
            assertThat(whole.learningRate(state)).isEqualTo(0.5);
        }
    }

    private static OptimizerSpec sgd(double rate, double momentum) {
        return new OptimizerSpec.Sgd(rate, momentum, false, CONSTANT, NONE);
    }

    @Test
    void rejectsTheStateOfAnotherOptimizer() {
        OptimizerState state = optimizer("momentum").initialState(1, Arena.ofAuto());

        assertThatIllegalArgumentException()
                .isThrownBy(() -> optimizer("adam").step(state, vector(1), vector(1)))
                .withMessage("the state must hold 2 vectors, but held 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> optimizer("sgd").step(state, vector(1), vector(1)))
                .withMessage("the state must hold 0 vectors, but held 1");
    }

    @Test
    void rejectsANegativeNumberOfSteps() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new OptimizerState(-1, List.of()))
                .withMessage("steps must be at least 0, but was -1");
    }

    /** Otherwise the garbage collector would interrupt the training now and then. */
    @Tag("allocation")
    @ParameterizedTest
    @MethodSource("names")
    void allocatesNextToNothing(String name) throws Exception {
        Optimizer optimizer = optimizer(name);
        MemorySegment parameters = noise(0);
        MemorySegment gradient = noise(1);
        OptimizerState state = optimizer.initialState(SIZE, Arena.ofAuto());

        AllocationTrials.assertBytesPerRound(
                MAX_BYTES_PER_STEP,
                () ->
                        AllocationTrials.bytesOf(
                                        () -> steps(100, optimizer, state, parameters, gradient))
                                / 100);
    }

    private static void steps(
            int count,
            Optimizer optimizer,
            OptimizerState first,
            MemorySegment parameters,
            MemorySegment gradient) {
        OptimizerState state = first;
        for (int i = 0; i < count; i++) {
            state = optimizer.step(state, parameters, gradient);
        }
    }

    private static MemorySegment noise(long seed) {
        var random = new SplittableRandom(seed);
        MemorySegment noise = Arena.ofAuto().allocate(JAVA_FLOAT, SIZE);
        for (int i = 0; i < SIZE; i++) {
            noise.setAtIndex(JAVA_FLOAT, i, (float) random.nextGaussian());
        }
        return noise;
    }

    private static MemorySegment vector(float... values) {
        return Arena.ofAuto().allocateFrom(JAVA_FLOAT, values);
    }

    private static MemorySegment vector(List<Float> values) {
        MemorySegment vector = Arena.ofAuto().allocate(JAVA_FLOAT, values.size());
        for (int i = 0; i < values.size(); i++) {
            vector.setAtIndex(JAVA_FLOAT, i, values.get(i));
        }
        return vector;
    }

    private static List<Float> floats(MemorySegment vector) {
        return vector.elements(JAVA_FLOAT).map(each -> each.get(JAVA_FLOAT, 0)).toList();
    }
}
