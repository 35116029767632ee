package dev.equipoise.agent.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.foreign.MemorySegment;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The elements that threshold and top-k sparsification send. */
class SparseCodecsTest {

    private static final CodecRandom RANDOM = new CodecRandom(7, 1, 3);

    private static Frame encode(Codec codec, MemorySegment vector) {
        int elements = Block.elements(vector);
        return codec.encode(vector, RANDOM, TestingVectors.buffer(codec, elements));
    }

    private static float[] sent(Codec codec, MemorySegment vector) {
        return TestingVectors.floats(TestingVectors.decoded(codec, encode(codec, vector), RANDOM));
    }

    @Test
    void thresholdSendsElementsAboveItInMagnitude() {
        MemorySegment vector = TestingVectors.of(1, -1, 1.001f, -1.001f, 0, 7, -0.5f);

        assertThat(sent(Codec.threshold(1), vector))
                .containsExactly(0, 0, 1.001f, -1.001f, 0, 7, 0);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 64, 1000, 1024, 1025, 9_999})
    void thresholdSendsNoOtherElement(int length) {
        MemorySegment vector = TestingVectors.random(length, length);
        float[] expected = TestingVectors.floats(vector);
        for (int i = 0; i < length; i++) {
            expected[i] = Math.abs(expected[i]) > 0.7f ? expected[i] : 0;
        }

        assertThat(sent(Codec.threshold(0.7f), vector)).containsExactly(expected);
    }

    @ParameterizedTest
    @CsvSource({"0.05, 1000", "0.05, 4096", "0.01, 1000000", "0.05, 1000000", "0.3, 300000"})
    void adaptiveThresholdSendsAboutItsFraction(double fraction, int length) {
        MemorySegment vector = TestingVectors.random(length, 1);

        assertThat(count(sent(Codec.adaptiveThreshold(fraction), vector)))
                .isBetween((int) (0.8 * fraction * length), (int) (1.25 * fraction * length));
    }

    /** One element in 10,000 is not zero, and a sample may contain none of them. */
    @Test
    void adaptiveThresholdNeverSendsZeros() {
        MemorySegment vector = TestingVectors.of(1_000_000, i -> i % 10_000 == 0 ? i + 1 : 0);

        assertThat(count(sent(Codec.adaptiveThreshold(0.05), vector))).isEqualTo(100);
    }

    /** The sample contains one element out of each 100, and the largest one only by chance. */
    @Test
    void adaptiveThresholdFallsBackToTopKIfTheSampleMisleads() {
        MemorySegment vector =
                TestingVectors.of(1_000_000, i -> i % 10 == 0 ? 1 + i * 1e-6 : i * 1e-9);

        assertThat(count(sent(Codec.adaptiveThreshold(1e-6), vector))).isBetween(1, 2);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 20, 5000, 100_003})
    void adaptiveThresholdSendsItsFractionOfEqualElements(int length) {
        MemorySegment vector = TestingVectors.of(length, i -> i % 2 == 0 ? -3 : 3);

        float[] sent = sent(Codec.adaptiveThreshold(0.05), vector);

        assertThat(sent).containsExactly(largest(Math.ceilDiv(length, 20), vector));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.001, 0.05, 0.3, 0.9, 1})
    void adaptiveThresholdSendsAtMostTwiceItsFraction(double fraction) {
        MemorySegment vector = TestingVectors.integers(100_003, 8);

        assertThat(count(sent(Codec.adaptiveThreshold(fraction), vector)))
                .isBetween(1, 2 * (int) Math.ceil(fraction * 100_003));
    }

    /** The index runs through three stretches, of each of which the sample contains one element. */
    @Test
    void adaptiveThresholdRejectsNonFiniteElementsInAndOutsideTheSample() {
        int length = 100_003;
        for (int i = 50_000; i < 50_000 + 3 * 25; i++) {
            int index = i;
            MemorySegment vector = TestingVectors.of(length, j -> j == index ? Double.NaN : j);

            assertThatIllegalArgumentException()
                    .isThrownBy(() -> encode(Codec.adaptiveThreshold(0.05), vector))
                    .withMessage("element %d must be finite, but was NaN", index);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0.01, 1, 1",
        "0.01, 100, 1",
        "0.07, 100, 7",
        "0.01, 101, 2",
        "0.5, 1025, 513",
        "1, 77, 77",
        "0.001, 100000, 100",
        "0.3, 50000, 15000"
    })
    void topKSendsTheLargestAndAmongEqualOnesTheFirst(double fraction, int length, int k) {
        for (MemorySegment vector :
                new MemorySegment[] {
                    TestingVectors.random(length, 5), TestingVectors.integers(length, 6)
                }) {
            assertThat(sent(Codec.topK(fraction), vector)).containsExactly(largest(k, vector));
            assertThat(encode(Codec.topK(fraction), vector).payload().byteSize())
                    .isEqualTo(expectedBytes(k, largestIndices(k, vector), length));
        }
    }

    private static int[] largestIndices(int k, MemorySegment vector) {
        return IntStream.range(0, Block.elements(vector))
                .boxed()
                .sorted(
                        Comparator.comparingDouble(
                                        (Integer i) -> -Math.abs(TestingVectors.get(vector, i)))
                                .thenComparing(Comparator.naturalOrder()))
                .limit(k)
                .mapToInt(Integer::intValue)
                .sorted()
                .toArray();
    }

    private static float[] largest(int k, MemorySegment vector) {
        float[] largest = new float[Block.elements(vector)];
        for (int i : largestIndices(k, vector)) {
            largest[i] = TestingVectors.get(vector, i);
        }
        return largest;
    }

    /** docs/algorithms.md, section 6: 8 k, 4 k + d / 8, or varints of the gaps. */
    private static long expectedBytes(int k, int[] indices, int length) {
        long varints = 4 + 4L * k;
        for (int i = 0; i < k; i++) {
            int gap = i == 0 ? indices[0] : indices[i] - indices[i - 1] - 1;
            varints += gap < 1 << 7 ? 1 : gap < 1 << 14 ? 2 : 3;
        }
        return Math.min(varints, Math.min(8L * k, 4L * k + (length + 7) / 8));
    }

    @Test
    void topKOfEqualElementsSendsTheFirst() {
        assertThat(sent(Codec.topK(0.25), TestingVectors.of(8, i -> i % 2 == 0 ? -3 : 3)))
                .containsExactly(-3, 3, 0, 0, 0, 0, 0, 0);
    }

    @Test
    void topKSendsKElementsOfAZeroVector() {
        Frame frame = encode(Codec.topK(0.5), TestingVectors.zeros(2000));

        assertThat(frame.payload().byteSize()).isEqualTo(4000 + 250);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -0.1, 1.1, Double.NaN})
    void rejectsAnInvalidFraction(double fraction) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Codec.topK(fraction))
                .withMessage("the fraction must be above 0 and at most 1, but was %s", fraction);
        assertThatIllegalArgumentException().isThrownBy(() -> Codec.adaptiveThreshold(fraction));
    }

    @ParameterizedTest
    @ValueSource(floats = {-1, Float.NaN, Float.POSITIVE_INFINITY})
    void rejectsAnInvalidThreshold(float threshold) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Codec.threshold(threshold))
                .withMessage(
                        "the threshold must be finite and not negative, but was %s", threshold);
    }

    private static int count(float[] values) {
        int count = 0;
        for (float value : values) {
            count += value == 0 ? 0 : 1;
        }
        return count;
    }
}
