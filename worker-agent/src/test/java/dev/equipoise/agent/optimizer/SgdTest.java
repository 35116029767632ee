package dev.equipoise.agent.optimizer;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.protocol.OptimizerSpec;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class SgdTest {

    private final Optimizer sgd = Optimizer.of(new OptimizerSpec.Sgd(0.25), 1, 1);

    @Test
    void stepsAgainstTheGradientInPlace() {
        MemorySegment parameters = vector(1, -2, 0.5f);
        MemorySegment gradient = vector(4, 8, -2);

        sgd.step(sgd.initialState(3, Arena.ofAuto()), parameters, gradient);

        assertThat(parameters.toArray(JAVA_FLOAT)).containsExactly(0, -4, 1);
        assertThat(gradient.toArray(JAVA_FLOAT)).containsExactly(4, 8, -2);
    }

    @Test
    void convergesToTheMinimumOfAParabola() {
        MemorySegment parameters = vector(3);
        OptimizerState state = sgd.initialState(1, Arena.ofAuto());
        for (int i = 0; i < 40; i++) {
            // f(w) = (w - 1)^2, so that each step halves the distance to 1.
            MemorySegment gradient = vector(2 * (parameters.get(JAVA_FLOAT, 0) - 1));
            state = sgd.step(state, parameters, gradient);
        }
        assertThat(parameters.get(JAVA_FLOAT, 0)).isEqualTo(1);
    }

    @Test
    void hasNoState() {
        assertThat(sgd.initialState(1_000_000, Arena.ofAuto()).vectors()).isEmpty();
    }

    private static MemorySegment vector(float... values) {
        return Arena.ofAuto().allocateFrom(JAVA_FLOAT, values);
    }
}
