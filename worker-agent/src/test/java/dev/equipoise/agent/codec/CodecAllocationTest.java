package dev.equipoise.agent.codec;

import dev.equipoise.agent.AllocationTrials;
import java.lang.foreign.MemorySegment;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A round of coding, feedback and decoding, once everything has been compiled. */
@Tag("allocation")
class CodecAllocationTest {

    /** Of a hundred blocks, each of which would show. */
    private static final int LENGTH = 100_000;

    private static final int ROUNDS = 50;
    private static final long MOST_BYTES_A_ROUND = 1024;

    private final MemorySegment gradient = TestingVectors.random(LENGTH, 1);
    private final MemorySegment decoded = TestingVectors.zeros(LENGTH);
    private final MemorySegment left = TestingVectors.zeros(LENGTH);

    static Stream<TestingCodecs> codecs() {
        return TestingCodecs.all();
    }

    static Stream<TestingCodecs> codecsForFeedback() {
        return TestingCodecs.forFeedback();
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void codingAllocatesNothingToSpeakOf(TestingCodecs kind) throws Exception {
        Codec codec = kind.codec(LENGTH);
        MemorySegment room = TestingVectors.room(codec, LENGTH);

        assertAllocatesNothingToSpeakOf(() -> code(codec, room));
    }

    private void code(Codec codec, MemorySegment room) {
        for (int round = 0; round < ROUNDS; round++) {
            var chance = new Chance(1, 0, round);
            codec.decode(codec.encode(gradient, chance, room), chance, decoded);
        }
    }

    @ParameterizedTest
    @MethodSource("codecsForFeedback")
    void feedbackAllocatesNothingToSpeakOf(TestingCodecs kind) throws Exception {
        Codec codec = kind.codec(LENGTH);
        var feedback = new ErrorFeedback(codec, 1, 0);
        MemorySegment room = TestingVectors.room(codec, LENGTH);

        assertAllocatesNothingToSpeakOf(() -> codeWithFeedback(feedback, codec, room));
    }

    /** From nothing each time, so that no trial depends on how many went before it. */
    private void codeWithFeedback(ErrorFeedback feedback, Codec codec, MemorySegment room) {
        var residual = new Residual(0, left.fill((byte) 0));
        for (int round = 0; round < ROUNDS; round++) {
            var encoded = feedback.encode(residual, gradient, room);
            codec.decode(encoded.frame(), encoded.chance(), decoded);
            residual = encoded.next();
        }
    }

    private static void assertAllocatesNothingToSpeakOf(Runnable rounds) throws Exception {
        AllocationTrials.assertBytesPerRound(
                MOST_BYTES_A_ROUND, () -> AllocationTrials.bytesOf(rounds) / ROUNDS);
    }
}
