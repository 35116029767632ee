package dev.equipoise.agent.codec;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ErrorFeedbackTest {

    private static final int LENGTH = 2500;
    private static final int ROUNDS = 20;

    static Stream<TestingCodecs> codecs() {
        return TestingCodecs.forFeedback();
    }

    /** Equal up to the rounding of values that are neither sums of integers nor sent exactly. */
    @ParameterizedTest
    @MethodSource("codecs")
    void decodedVectorsPlusResidualEqualTheGradients(TestingCodecs kind) {
        Codec codec = kind.codec(LENGTH);
        var feedback = new ErrorFeedback(codec, 5, 0);
        Residual residual = Residual.zero(LENGTH, Arena.ofAuto());
        MemorySegment decoded = TestingVectors.zeros(LENGTH);
        float[] sum = new float[LENGTH];

        for (int round = 0; round < ROUNDS; round++) {
            MemorySegment gradient = TestingVectors.integers(LENGTH, round);
            add(gradient, sum);
            var encoded = feedback.encode(residual, gradient, TestingVectors.buffer(codec, LENGTH));
            codec.add(encoded.frame(), encoded.chance(), 1, decoded);
            residual = encoded.next();
        }

        assertAddUp(residual.vector(), TestingVectors.floats(decoded), sum);
        assertThat(residual.round()).isEqualTo(ROUNDS);
    }

    private static void add(MemorySegment gradient, float[] sum) {
        for (int i = 0; i < LENGTH; i++) {
            sum[i] += TestingVectors.get(gradient, i);
        }
    }

    private static void assertAddUp(MemorySegment residual, float[] decoded, float[] sum) {
        for (int i = 0; i < LENGTH; i++) {
            float left = TestingVectors.get(residual, i);
            float rounding = 1e-5f * (1 + Math.abs(decoded[i]) + Math.abs(left));
            if (!(Math.abs(decoded[i] + left - sum[i]) <= rounding * ROUNDS)) {
                assertThat(decoded[i] + left).as("element %d", i).isEqualTo(sum[i]);
            }
        }
    }

    /**
     * Compressing one gradient in every round makes the errors add up. The bound is that of lemma
     * 3: 2 / delta times the gradient, for the delta of top-k 1 %.
     */
    @ParameterizedTest
    @MethodSource("codecs")
    void theResidualStaysBounded(TestingCodecs kind) {
        Codec codec = kind.codec(LENGTH);
        var feedback = new ErrorFeedback(codec, 5, 0);
        MemorySegment gradient = TestingVectors.random(LENGTH, 1);
        MemorySegment buffer = TestingVectors.buffer(codec, LENGTH);
        Residual residual = Residual.zero(LENGTH, Arena.ofAuto());

        for (int round = 0; round < 500; round++) {
            residual = feedback.encode(residual, gradient, buffer).next();

            assertThat(norm(residual.vector())).isLessThan(2 / 0.01 * norm(gradient));
        }
    }

    private static double norm(MemorySegment vector) {
        double squares = 0;
        for (float element : TestingVectors.floats(vector)) {
            squares += (double) element * element;
        }
        return Math.sqrt(squares);
    }

    @Test
    void exactlySentElementsLeaveNoResidual() {
        Codec codec = Codec.topK(0.1);
        MemorySegment gradient = TestingVectors.random(LENGTH, 1);

        var encoded =
                new ErrorFeedback(codec, 5, 0)
                        .encode(
                                Residual.zero(LENGTH, Arena.ofAuto()),
                                gradient,
                                TestingVectors.buffer(codec, LENGTH));

        MemorySegment decoded = TestingVectors.decoded(codec, encoded.frame(), encoded.chance());
        for (int i = 0; i < LENGTH; i++) {
            float sent = TestingVectors.get(decoded, i);
            float left = TestingVectors.get(encoded.next().vector(), i);
            assertThat(sent == 0 || left == 0).isTrue();
            assertThat(sent + left).isEqualTo(TestingVectors.get(gradient, i));
        }
    }

    @Test
    void doesNotChangeTheGradient() {
        Codec codec = Codec.sign();
        MemorySegment gradient = TestingVectors.random(LENGTH, 1);
        float[] before = TestingVectors.floats(gradient);

        new ErrorFeedback(codec, 5, 0)
                .encode(
                        Residual.zero(LENGTH, Arena.ofAuto()),
                        gradient,
                        TestingVectors.buffer(codec, LENGTH));

        assertThat(TestingVectors.floats(gradient)).isEqualTo(before);
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void continuesFromACopyWithEqualBits(TestingCodecs kind) {
        Residual residual = Residual.zero(LENGTH, Arena.ofAuto());
        for (int round = 0; round < 3; round++) {
            residual = encode(kind, residual, round).next();
        }
        Residual copy = residual.copy(Arena.ofAuto());

        MemorySegment first = encode(kind, residual, 3).frame().payload();
        MemorySegment second = encode(kind, copy, 3).frame().payload();

        assertThat(first.mismatch(second)).isEqualTo(-1);
        assertThat(residual.vector().mismatch(copy.vector())).isEqualTo(-1);
    }

    /** Frames without indices can be decoded only if all ranks draw the same indices. */
    @Test
    void aJoiningRankChoosesLikeItsPeers() {
        Codec codec = Codec.randomK(0.1, false);
        MemorySegment gradient = TestingVectors.of(LENGTH, i -> i + 1);
        MemorySegment buffer = TestingVectors.buffer(codec, LENGTH);
        Residual peer = Residual.zero(LENGTH, Arena.ofAuto());
        for (int round = 0; round < 3; round++) {
            peer = new ErrorFeedback(codec, 5, 0).encode(peer, gradient, buffer).next();
        }
        Residual joined = Residual.zero(peer.round(), LENGTH, Arena.ofAuto());

        Frame frame = new ErrorFeedback(codec, 5, 1).encode(joined, gradient, buffer).frame();

        MemorySegment decoded =
                TestingVectors.decoded(codec, frame, new CodecRandom(5, 0, peer.round()));
        for (int i = 0; i < LENGTH; i++) {
            assertThat(TestingVectors.get(decoded, i)).isIn(0f, i + 1f);
        }
    }

    private static ErrorFeedback.Encoded encode(TestingCodecs kind, Residual residual, int round) {
        Codec codec = kind.codec(LENGTH);
        return new ErrorFeedback(codec, 5, 0)
                .encode(
                        residual,
                        TestingVectors.random(LENGTH, round),
                        TestingVectors.buffer(codec, LENGTH));
    }

    /** The omitted error would be multiplied and grow from round to round. */
    @Test
    void rejectsScaledRandomK() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ErrorFeedback(Codec.randomK(0.1, true), 5, 0))
                .withMessage(
                        "random-k must not be scaled under error feedback: the residual would grow"
                                + " without"
                                + " bound");
    }

    /** QSGD with seven levels, and with one. */
    @Test
    void rejectsQsgdWhoseErrorMayExceedItsInput() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ErrorFeedback(Codec.qsgd(4, 49), 5, 0))
                .withMessage(
                        "under error feedback a bucket must have fewer elements than its levels"
                                + " squared, 49, but has 49");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ErrorFeedback(Codec.qsgd(2, 1), 5, 0))
                .withMessage(
                        "under error feedback a bucket must have fewer elements than its levels"
                                + " squared, 1, but has 1");
    }

    @Test
    void acceptsQsgdWithTheLargestContractingBuckets() {
        assertThat(ErrorFeedback.violatedRule(Codec.qsgd(4, 48))).isEmpty();
        assertThat(ErrorFeedback.violatedRule(Codec.qsgd(7, 1024))).isEmpty();
    }

    @Test
    void rejectsAResidualOfAnotherLength() {
        Codec codec = Codec.sign();

        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        new ErrorFeedback(codec, 5, 0)
                                .encode(
                                        Residual.zero(3, Arena.ofAuto()),
                                        TestingVectors.zeros(2),
                                        Arena.ofAuto().allocate(JAVA_FLOAT, 9)))
                .withMessage("the gradient must be as long as the residual, 12 bytes, but has 8");
    }
}
