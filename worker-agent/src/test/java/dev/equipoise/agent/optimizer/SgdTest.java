package dev.equipoise.agent.optimizer;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SgdTest {

    @Test
    void stepsAgainstTheGradientInPlace() {
        MemorySegment parameters = vector(1, -2, 0.5f);
        MemorySegment gradient = vector(4, 8, -2);

        new Sgd(0.25f).step(parameters, gradient);

        assertThat(parameters.toArray(JAVA_FLOAT)).containsExactly(0, -4, 1);
        assertThat(gradient.toArray(JAVA_FLOAT)).containsExactly(4, 8, -2);
    }

    @Test
    void descendsToTheMinimumOfAParabola() {
        MemorySegment parameters = vector(3);
        Sgd sgd = new Sgd(0.25f);
        for (int i = 0; i < 40; i++) {
            // f(w) = (w - 1)^2, so each step halves the distance to 1.
            sgd.step(parameters, vector(2 * (parameters.get(JAVA_FLOAT, 0) - 1)));
        }
        assertThat(parameters.get(JAVA_FLOAT, 0)).isEqualTo(1);
    }

    @Test
    void refusesAGradientOfAnotherLength() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Sgd(1).step(vector(1, 2), vector(1)))
                .withMessageContaining("4 bytes against 8");
    }

    @ParameterizedTest
    @ValueSource(floats = {0, -0.1f, Float.NaN, Float.POSITIVE_INFINITY})
    void refusesALearningRateThatLeadsNowhere(float learningRate) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Sgd(learningRate))
                .withMessageContaining(String.valueOf(learningRate));
    }

    private static MemorySegment vector(float... values) {
        return Arena.ofAuto().allocateFrom(JAVA_FLOAT, values);
    }
}
