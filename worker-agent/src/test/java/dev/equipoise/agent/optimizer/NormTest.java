package dev.equipoise.agent.optimizer;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NormTest {

    private final Norm norm = new Norm();

    @ParameterizedTest
    @ValueSource(
            ints = {0, 1, 2, Block.MAX_LENGTH - 1, Block.MAX_LENGTH, Block.MAX_LENGTH + 1, 2000})
    void countsEveryElementOnce(int count) {
        double squares = count * (count + 1.0) * (2.0 * count + 1) / 6;

        assertThat(norm.of(vector(count, i -> i + 1f))).isCloseTo(Math.sqrt(squares), within(1e-9));
    }

    @Test
    void isIndependentOfThePreviousVector() {
        assertThat(norm.of(vector(1000, _ -> 1e30f))).isGreaterThan(1e30);
        assertThat(norm.of(vector(2, i -> i + 3f))).isEqualTo(5);
    }

    /** In floats, the sum would stop at 2^24 and the squares would overflow. */
    @Test
    void sumsInDouble() {
        assertThat(norm.of(vector(1 << 25, _ -> 1f))).isEqualTo(Math.sqrt(1 << 25));
        assertThat(norm.of(vector(2, i -> (i + 3) * 1e30f))).isCloseTo(5e30, within(1e24));
    }

    private static MemorySegment vector(int count, IntFunction<Float> element) {
        MemorySegment vector = Arena.ofAuto().allocate(JAVA_FLOAT, count);
        for (int i = 0; i < count; i++) {
            vector.setAtIndex(JAVA_FLOAT, i, element.apply(i));
        }
        return vector;
    }
}
