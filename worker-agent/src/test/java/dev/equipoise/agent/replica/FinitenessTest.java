package dev.equipoise.agent.replica;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FinitenessTest {
    private static final int LENGTH = 5000;

    private final MemorySegment vector = Arena.ofAuto().allocate(JAVA_FLOAT, LENGTH);
    private final Finiteness finiteness = new Finiteness();

    @ParameterizedTest
    @ValueSource(floats = {0, -0f, Float.MAX_VALUE, -Float.MAX_VALUE, Float.MIN_VALUE})
    void isOfNumbersAlone(float value) {
        vector.setAtIndex(JAVA_FLOAT, LENGTH - 1, value);

        assertThat(finiteness.of(vector)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(floats = {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY})
    void isLostWithOneElementAnywhere(float value) {
        for (int at : new int[] {0, 2047, 2048, LENGTH - 1}) {
            vector.fill((byte) 0);
            vector.setAtIndex(JAVA_FLOAT, at, value);

            assertThat(finiteness.of(vector)).as("element %d", at).isFalse();
        }
    }

    @Test
    void isOfNothing() {
        assertThat(finiteness.of(vector.asSlice(0, 0))).isTrue();
    }
}
