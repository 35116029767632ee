package dev.equipoise.agent.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QsgdTest {

    private static final CodecRandom RANDOM = new CodecRandom(7, 1, 3);

    private static Frame encode(Codec codec, MemorySegment vector, CodecRandom random) {
        return codec.encode(vector, random, TestingVectors.buffer(codec, Block.elements(vector)));
    }

    private static float[] decoded(Codec codec, MemorySegment vector) {
        return TestingVectors.floats(
                TestingVectors.decoded(codec, encode(codec, vector, RANDOM), RANDOM));
    }

    /**
     * Lemma 3.1 of the paper, for q = 512 and s levels; the mean error of a bucket is near its
     * bound.
     */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 6, 8})
    void errorIsWithinTheBoundOfThePaper(int bits) {
        Codec codec = Codec.qsgd(bits, 512);
        int levels = (1 << (bits - 1)) - 1;
        double bound = Math.min(512.0 / (levels * levels), Math.sqrt(512) / levels);
        double norm = 0;
        double error = 0;
        for (int round = 0; round < 100; round++) {
            MemorySegment vector = TestingVectors.random(512, round);
            float[] decoded = decoded(codec, vector);
            for (int i = 0; i < 512; i++) {
                double value = TestingVectors.get(vector, i);
                norm += value * value;
                error += (decoded[i] - value) * (decoded[i] - value);
            }
        }

        assertThat(error).isLessThan(bound * norm);
    }

    @Test
    void aSingleNonzeroElementIsExact() {
        MemorySegment vector = TestingVectors.of(600, i -> i == 17 ? -0.3 : i == 550 ? 5 : 0);

        float[] decoded = decoded(Codec.qsgd(4, 512), vector);

        assertThat(decoded[17]).isCloseTo(-0.3f, within(1e-7f));
        assertThat(decoded[550]).isCloseTo(5f, within(1e-6f));
    }

    @Test
    void ranksRoundIndependently() {
        Codec codec = Codec.qsgd(4, 512);
        MemorySegment vector = TestingVectors.random(512, 1);

        MemorySegment first = encode(codec, vector, new CodecRandom(3, 0, 9)).payload();
        MemorySegment second = encode(codec, vector, new CodecRandom(3, 1, 9)).payload();

        assertThat(first.mismatch(second)).isGreaterThan(3);
    }

    @Test
    void extremeMagnitudesArePreserved() {
        float large = 1e37f;
        float small = 1e-32f;

        assertThat(decoded(Codec.qsgd(8, 64), TestingVectors.of(large, -large)))
                .containsExactly(new float[] {large, -large}, within(1e35f));
        assertThat(decoded(Codec.qsgd(8, 64), TestingVectors.of(small, -small)))
                .containsExactly(new float[] {small, -small}, within(1e-34f));
        assertThat(decoded(Codec.qsgd(8, 64), TestingVectors.of(Float.MIN_VALUE)))
                .containsExactly(0);
    }

    @Test
    void rejectsABucketWhoseNormOverflows() {
        MemorySegment vector = TestingVectors.of(Float.MAX_VALUE, Float.MAX_VALUE);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> encode(Codec.qsgd(4, 512), vector, RANDOM))
                .withMessageStartingWith(
                        "the norm of the bucket at element 0 must be a finite float32, but was"
                                + " 4.8");
    }

    @Test
    void rejectsAnInvalidNorm() {
        Codec codec = Codec.qsgd(4, 2);
        Frame frame = encode(codec, TestingVectors.of(1, 2, 3, 4), RANDOM);
        frame.payload().set(JAVA_FLOAT_UNALIGNED, 5, Float.NaN);

        assertThatExceptionOfType(FrameCorrupt.class)
                .isThrownBy(() -> codec.decode(frame, RANDOM, TestingVectors.zeros(4)))
                .withMessage(
                        "a norm must be finite and not negative, but was NaN at byte 5 of the"
                                + " payload");
    }

    @Test
    void rejectsAnInvalidCode() {
        Codec codec = Codec.qsgd(4, 2);
        Frame frame = encode(codec, TestingVectors.of(1, 2, 3, 4), RANDOM);
        frame.payload().set(JAVA_BYTE, 9, (byte) 0xf0);

        assertThatExceptionOfType(FrameCorrupt.class)
                .isThrownBy(() -> codec.decode(frame, RANDOM, TestingVectors.zeros(4)))
                .withMessage("codes must be at most 14, but was 15 at byte 9 of the payload");
    }

    @Test
    void rejectsSettingsOutOfRange() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Codec.qsgd(1, 512))
                .withMessage("bits must be from 2 to 8, but was 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Codec.qsgd(4, 1025))
                .withMessage("bucket must be from 1 to 1024, but was 1025");
    }
}
