package dev.equipoise.agent.codec;

import dev.equipoise.agent.AllocationTrials;
import java.lang.foreign.MemorySegment;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Allocation of a round of encoding, error feedback and decoding, after compilation. */
@Tag("allocation")
class CodecAllocationTest {

    /** About 100 blocks, so that an allocation per block would exceed the limit. */
    private static final int LENGTH = 100_000;

    private static final int ROUNDS = 50;
    private static final long MAX_BYTES_PER_ROUND = 1024;

    private final MemorySegment gradient = TestingVectors.random(LENGTH, 1);
    private final MemorySegment decoded = TestingVectors.zeros(LENGTH);
    private final MemorySegment residualVector = TestingVectors.zeros(LENGTH);

    static Stream<TestingCodecs> codecs() {
        return TestingCodecs.all();
    }

    static Stream<TestingCodecs> codecsForFeedback() {
        return TestingCodecs.forFeedback();
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void codingAllocatesAlmostNothing(TestingCodecs kind) throws Exception {
        Codec codec = kind.codec(LENGTH);
        MemorySegment buffer = TestingVectors.buffer(codec, LENGTH);

        assertAllocatesAlmostNothing(() -> code(codec, buffer));
    }

    private void code(Codec codec, MemorySegment buffer) {
        for (int round = 0; round < ROUNDS; round++) {
            var random = new CodecRandom(1, 0, round);
            codec.decode(codec.encode(gradient, random, buffer), random, decoded);
        }
    }

    @ParameterizedTest
    @MethodSource("codecsForFeedback")
    void errorFeedbackAllocatesAlmostNothing(TestingCodecs kind) throws Exception {
        Codec codec = kind.codec(LENGTH);
        var feedback = new ErrorFeedback(codec, 1, 0);
        MemorySegment buffer = TestingVectors.buffer(codec, LENGTH);

        assertAllocatesAlmostNothing(() -> codeWithFeedback(feedback, codec, buffer));
    }

    /** Starts with a zero residual, so that no trial depends on earlier ones. */
    private void codeWithFeedback(ErrorFeedback feedback, Codec codec, MemorySegment buffer) {
        var residual = new Residual(0, residualVector.fill((byte) 0));
        for (int round = 0; round < ROUNDS; round++) {
            var encoded = feedback.encode(residual, gradient, buffer);
            codec.decode(encoded.frame(), encoded.chance(), decoded);
            residual = encoded.next();
        }
    }

    private static void assertAllocatesAlmostNothing(Runnable rounds) throws Exception {
        AllocationTrials.assertBytesPerRound(
                MAX_BYTES_PER_ROUND, () -> AllocationTrials.bytesOf(rounds) / ROUNDS);
    }
}
