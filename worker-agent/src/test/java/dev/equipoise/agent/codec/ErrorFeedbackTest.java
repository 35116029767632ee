package dev.equipoise.agent.codec;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

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

    /** All but the rounding of what is neither a sum of integers nor sent as it is. */
    @ParameterizedTest
    @MethodSource("codecs")
    void whatWasDecodedAndWhatIsLeftAddUpToTheGradients(TestingCodecs kind) {
        Codec codec = kind.codec(LENGTH);
        var feedback = new ErrorFeedback(codec, 5, 0);
        Residual residual = Residual.zero(LENGTH, Arena.ofAuto());
        MemorySegment decoded = TestingVectors.zeros(LENGTH);
        float[] sum = new float[LENGTH];

        for (int round = 0; round < ROUNDS; round++) {
            MemorySegment gradient = TestingVectors.integers(LENGTH, round);
            add(gradient, sum);
            var encoded = feedback.encode(residual, gradient, TestingVectors.room(codec, LENGTH));
            codec.add(encoded.frame(), encoded.chance(), 1, decoded);
            residual = encoded.next();
        }

        assertAddUp(residual.vector(), TestingVectors.floats(decoded), sum);
        assertThat(residual.round()).isEqualTo(ROUNDS);
    }

    /** Every fourth exchange fails, and its gradient travels with the next. */
    @ParameterizedTest
    @MethodSource("codecs")
    void whatIsTakenBackTravelsWithTheNextGradient(TestingCodecs kind) {
        Codec codec = kind.codec(LENGTH);
        var feedback = new ErrorFeedback(codec, 5, 0);
        MemorySegment room = TestingVectors.room(codec, LENGTH);
        Residual residual = Residual.zero(LENGTH, Arena.ofAuto());
        MemorySegment decoded = TestingVectors.zeros(LENGTH);
        float[] sum = new float[LENGTH];

        for (int attempt = 0; attempt < ROUNDS; attempt++) {
            MemorySegment gradient = TestingVectors.integers(LENGTH, attempt);
            add(gradient, sum);
            var encoded = feedback.encode(residual, gradient, room);
            if (attempt % 4 == 1) {
                residual = feedback.undo(encoded);
            } else {
                codec.add(encoded.frame(), encoded.chance(), 1, decoded);
                residual = encoded.next();
            }
        }

        assertAddUp(residual.vector(), TestingVectors.floats(decoded), sum);
        assertThat(residual.round()).isEqualTo(ROUNDS - ROUNDS / 4);
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void whatIsTakenBackIsTheGradientAndWhatWasLeftBefore(TestingCodecs kind) {
        Codec codec = kind.codec(LENGTH);
        var feedback = new ErrorFeedback(codec, 5, 0);
        MemorySegment left = TestingVectors.integers(LENGTH, 1);
        MemorySegment gradient = TestingVectors.integers(LENGTH, 2);
        float[] sum = TestingVectors.floats(left);
        add(gradient, sum);

        Residual undone =
                feedback.undo(
                        feedback.encode(
                                new Residual(7, left),
                                gradient,
                                TestingVectors.room(codec, LENGTH)));

        assertThat(undone.round()).isEqualTo(7);
        assertThat(TestingVectors.floats(undone.vector())).containsExactly(sum, within(1e-4f));
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
     * Under the same gradient again and again, of which what is left adds up: the bound of lemma 3,
     * 2 / delta times the gradient, for the delta of top-k 1 %.
     */
    @ParameterizedTest
    @MethodSource("codecs")
    void theResidualStaysInBounds(TestingCodecs kind) {
        Codec codec = kind.codec(LENGTH);
        var feedback = new ErrorFeedback(codec, 5, 0);
        MemorySegment gradient = TestingVectors.random(LENGTH, 1);
        MemorySegment room = TestingVectors.room(codec, LENGTH);
        Residual residual = Residual.zero(LENGTH, Arena.ofAuto());

        for (int round = 0; round < 500; round++) {
            residual = feedback.encode(residual, gradient, room).next();

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
    void whatIsSentAsItIsLeavesNothing() {
        Codec codec = Codec.topK(0.1);
        MemorySegment gradient = TestingVectors.random(LENGTH, 1);

        var encoded =
                new ErrorFeedback(codec, 5, 0)
                        .encode(
                                Residual.zero(LENGTH, Arena.ofAuto()),
                                gradient,
                                TestingVectors.room(codec, LENGTH));

        MemorySegment decoded = TestingVectors.decoded(codec, encoded.frame(), encoded.chance());
        for (int i = 0; i < LENGTH; i++) {
            float sent = TestingVectors.get(decoded, i);
            float left = TestingVectors.get(encoded.next().vector(), i);
            assertThat(sent == 0 || left == 0).isTrue();
            assertThat(sent + left).isEqualTo(TestingVectors.get(gradient, i));
        }
    }

    @Test
    void leavesTheGradientAsItIs() {
        Codec codec = Codec.sign();
        MemorySegment gradient = TestingVectors.random(LENGTH, 1);
        float[] before = TestingVectors.floats(gradient);

        new ErrorFeedback(codec, 5, 0)
                .encode(
                        Residual.zero(LENGTH, Arena.ofAuto()),
                        gradient,
                        TestingVectors.room(codec, LENGTH));

        assertThat(TestingVectors.floats(gradient)).isEqualTo(before);
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void goesOnFromACopyToTheSameBits(TestingCodecs kind) {
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

    /** Without indices, what a rank sends is understood only if its peers draw the same ones. */
    @Test
    void aRankThatJoinsLaterChoosesLikeItsPeers() {
        Codec codec = Codec.randomK(0.1, false);
        MemorySegment gradient = TestingVectors.of(LENGTH, i -> i + 1);
        MemorySegment room = TestingVectors.room(codec, LENGTH);
        Residual peer = Residual.zero(LENGTH, Arena.ofAuto());
        for (int round = 0; round < 3; round++) {
            peer = new ErrorFeedback(codec, 5, 0).encode(peer, gradient, room).next();
        }
        Residual joined = Residual.zero(peer.round(), LENGTH, Arena.ofAuto());

        Frame frame = new ErrorFeedback(codec, 5, 1).encode(joined, gradient, room).frame();

        MemorySegment decoded =
                TestingVectors.decoded(codec, frame, new Chance(5, 0, peer.round()));
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
                        TestingVectors.room(codec, LENGTH));
    }

    /** What it left out would come back multiplied, and grow from round to round. */
    @Test
    void refusesScaledRandomK() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ErrorFeedback(Codec.randomK(0.1, true), 5, 0))
                .withMessage("random-k must not be scaled under error feedback, but is");
    }

    /** Of seven levels, and of one. */
    @Test
    void refusesQsgdThatMayLeaveOutMoreThanItIsGiven() {
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
    void takesQsgdOfTheLargestBucketsThatContract() {
        assertThat(ErrorFeedback.refusal(Codec.qsgd(4, 48))).isEmpty();
        assertThat(ErrorFeedback.refusal(Codec.qsgd(7, 1024))).isEmpty();
    }

    @Test
    void refusesAResidualOfAnotherLength() {
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
