package dev.equipoise.agent.collective;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.equipoise.agent.AllocationTrials;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class FloatScaleTest {

    private static final float FACTOR = 0.3f;

    private static Stream<FloatScale> implementations() {
        return Stream.of(new ScalarFloatScale(), new VectorFloatScale());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 15, 16, 17, 1023, 1024, 1025, 100_003})
    void bothImplementationsGiveEqualBits(int length) {
        MemorySegment source = random(length);
        MemorySegment plain = zeros(length);
        MemorySegment vectorized = zeros(length);

        new ScalarFloatScale().scale(source, FACTOR, plain);
        new VectorFloatScale().scale(source, FACTOR, vectorized);

        assertThat(vectorized.mismatch(plain)).isEqualTo(-1);
        assertThat(source.mismatch(random(length))).isEqualTo(-1);
        for (int i = 0; i < Math.min(length, 20); i++) {
            assertThat(plain.getAtIndex(JAVA_FLOAT, i))
                    .isEqualTo(source.getAtIndex(JAVA_FLOAT, i) * FACTOR);
        }
    }

    @ParameterizedTest
    @MethodSource("implementations")
    void scalesInPlace(FloatScale scale) {
        MemorySegment expected = zeros(1025);
        scale.scale(random(1025), FACTOR, expected);
        MemorySegment vector = random(1025);

        scale.scale(vector, FACTOR, vector);

        assertThat(vector.mismatch(expected)).isEqualTo(-1);
    }

    @ParameterizedTest
    @MethodSource("implementations")
    void rejectsVectorsOfUnequalLengths(FloatScale scale) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> scale.scale(zeros(2), FACTOR, zeros(3)))
                .withMessage("the vectors must have equal lengths, but have 8 and 12 bytes");
    }

    @Tag("allocation")
    @ParameterizedTest
    @MethodSource("implementations")
    void allocatesNothing(FloatScale scale) throws Exception {
        MemorySegment vector = random(100_003);

        AllocationTrials.assertBytesPerRound(
                0,
                () ->
                        AllocationTrials.bytesOf(() -> {
                            for (int i = 0; i < 50; i++) {
                                scale.scale(vector, 1, vector);
                            }
                        }));
    }

    private static MemorySegment zeros(int length) {
        return Arena.ofAuto().allocate(JAVA_FLOAT, length);
    }

    private static MemorySegment random(int length) {
        var random = new SplittableRandom(1);
        MemorySegment vector = zeros(length);
        for (int i = 0; i < length; i++) {
            vector.setAtIndex(JAVA_FLOAT, i, (float) random.nextDouble(-1, 1));
        }
        return vector;
    }
}
