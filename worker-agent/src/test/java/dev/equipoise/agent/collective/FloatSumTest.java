package dev.equipoise.agent.collective;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FloatSumTest {

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 15, 16, 17, 1023, 1024, 1025, 100_003})
    void bothImplementationsGiveEqualBits(int length) {
        MemorySegment addend = random(length + 3, 1);
        MemorySegment plain = random(length + 5, 2);
        MemorySegment vectorized = Arena.ofAuto().allocate(plain.byteSize()).copyFrom(plain);

        new ScalarFloatSum().add(plain, 8, addend, 4, 4L * length);
        new VectorFloatSum().add(vectorized, 8, addend, 4, 4L * length);

        assertThat(vectorized.mismatch(plain)).isEqualTo(-1);
        MemorySegment before = random(length + 5, 2);
        for (int i = 0; i < Math.min(length, 20); i++) {
            assertThat(plain.getAtIndex(JAVA_FLOAT, i + 2))
                    .isEqualTo(
                            before.getAtIndex(JAVA_FLOAT, i + 2)
                                    + addend.getAtIndex(JAVA_FLOAT, i + 1));
        }
    }

    private static MemorySegment random(int length, long seed) {
        var random = new SplittableRandom(seed);
        MemorySegment vector = Arena.ofAuto().allocate(JAVA_FLOAT, length);
        for (int i = 0; i < length; i++) {
            vector.setAtIndex(JAVA_FLOAT, i, (float) random.nextDouble(-1, 1));
        }
        return vector;
    }
}
