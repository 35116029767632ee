package dev.equipoise.agent.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The scalar and the Vector API implementation give equal bits. */
class KernelsTest {

    private static final int CAPACITY = Block.MAX_LENGTH;

    private final Kernels scalar = new ScalarKernels();
    private final Kernels vector = new VectorKernels();

    static IntStream lengths() {
        return IntStream.of(0, 1, 2, 15, 16, 17, 63, 64, 65, 127, 500, 512, 1023, 1024);
    }

    @Test
    void theVectorApiIsAvailableInTests() {
        assertThat(Kernels.fastest()).isInstanceOf(VectorKernels.class);
    }

    @ParameterizedTest
    @MethodSource("lengths")
    void sumsAgree(int length) {
        float[] left = values(length, 1);
        float[] right = values(length, 2);

        agree((kernels, _) ->
                new double[] {
                    kernels.sumOfMagnitudes(left, length),
                    kernels.dot(left, right, length),
                    kernels.dot(left, left, length)
                });
    }

    @ParameterizedTest
    @MethodSource("lengths")
    void marksAgree(int length) {
        float[] values = values(length, 3);

        agree((kernels, words) -> {
            kernels.markAbove(values, length, 0.5f, words, 1);
            return words;
        });
        agree((kernels, words) -> {
            kernels.markAbove(values, length, Math.nextDown(0f), words, 1);
            return words;
        });
        agree((kernels, words) -> {
            kernels.markNegative(values, length, words, 1);
            return words;
        });
    }

    @ParameterizedTest
    @MethodSource("lengths")
    void compressedElementsAgree(int length) {
        float[] values = values(length, 4);

        agree((kernels, words) -> {
            kernels.markNegative(values, length, words, 2);
            float[] target = new float[CAPACITY + Kernels.LANES];
            int count = kernels.compress(values, length, words, 2, target);
            return Arrays.copyOf(target, count);
        });
    }

    @ParameterizedTest
    @MethodSource("lengths")
    void spreadSignsAgree(int length) {
        agree((kernels, words) -> {
            kernels.markNegative(values(length, 5), length, words, 0);
            float[] spread = values(CAPACITY, 6);
            kernels.spreadSigns(words, 0.75f, spread, length);
            return Arrays.copyOf(spread, length);
        });
    }

    @ParameterizedTest
    @MethodSource("lengths")
    void quantizedLevelsAgree(int length) {
        float[] values = values(length, 7);

        agree((kernels, _) -> {
            int[] codes = new int[CAPACITY];
            kernels.quantize(values, length, 0.01f, 7, 0x123456789abcdefL, 1 << 30, codes);
            return Arrays.copyOf(codes, length);
        });
    }

    @ParameterizedTest
    @MethodSource("lengths")
    void checksForNaNAndInfinityAgree(int length) {
        for (float wrong : new float[] {Float.NaN, Float.POSITIVE_INFINITY, -1 / 0f, 1}) {
            for (int i = 0; i < length; i++) {
                float[] values = values(length, 8);
                values[i] = wrong;

                assertThat(scalar.areFinite(values, length)).isEqualTo(wrong == 1);
                assertThat(vector.areFinite(values, length)).isEqualTo(wrong == 1);
            }
        }
    }

    static Stream<Function<Kernels, Codec>> codecs() {
        return Stream.of(
                kernels -> new Threshold(new ThresholdRule.Fixed(1.5f), kernels),
                kernels -> new Threshold(new ThresholdRule.Sampled(new Fraction(0.05)), kernels),
                kernels -> new TopK(0.02, kernels),
                kernels -> new Qsgd(4, 512, kernels),
                kernels -> new Qsgd(7, 100, kernels),
                kernels -> new Sign(List.of(), kernels),
                kernels -> new Sign(List.of(70_001, 1, 30_001), kernels));
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void framesAndDecodedVectorsAgree(Function<Kernels, Codec> codec) {
        var random = new CodecRandom(1, 2, 3);
        MemorySegment gradient = TestingVectors.integers(100_003, 9);
        Frame frame = encode(codec.apply(vector), gradient, random);
        Frame reference = encode(codec.apply(scalar), gradient, random);

        assertThat(frame.payload().mismatch(reference.payload())).isEqualTo(-1);
        assertThat(frame.flags()).isEqualTo(reference.flags());
        assertThat(
                        TestingVectors.decoded(codec.apply(vector), frame, random)
                                .mismatch(
                                        TestingVectors.decoded(codec.apply(scalar), frame, random)))
                .isEqualTo(-1);
    }

    private static Frame encode(Codec codec, MemorySegment gradient, CodecRandom random) {
        return codec.encode(
                gradient, random, TestingVectors.buffer(codec, Block.elements(gradient)));
    }

    private void agree(BiFunction<Kernels, long[], Object> result) {
        assertThat(result.apply(vector, new long[CAPACITY / Long.SIZE + 2]))
                .isEqualTo(result.apply(scalar, new long[CAPACITY / Long.SIZE + 2]));
    }

    /** Returns random values, with zeros behind the length. */
    private static float[] values(int length, long seed) {
        return Arrays.copyOf(TestingVectors.floats(TestingVectors.random(length, seed)), CAPACITY);
    }
}
