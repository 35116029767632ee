package dev.equipoise.agent.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A round of coding, feedback and decoding, once everything has been compiled. */
class CodecAllocationTest {

    /** Of a hundred blocks, each of which would show. */
    private static final int LENGTH = 100_000;

    private static final int ROUNDS = 50;
    private static final int MOST_TRIALS = 100;
    private static final long MOST_BYTES_A_ROUND = 1024;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
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
    void codingAllocatesNothingToSpeakOf(TestingCodecs kind) {
        Codec codec = kind.codec(LENGTH);
        MemorySegment room = TestingVectors.room(codec, LENGTH);

        assertThat(bytesARound(() -> code(codec, room))).isLessThanOrEqualTo(MOST_BYTES_A_ROUND);
    }

    private void code(Codec codec, MemorySegment room) {
        for (int round = 0; round < ROUNDS; round++) {
            var chance = new Chance(1, 0, round);
            codec.decode(codec.encode(gradient, chance, room), chance, decoded);
        }
    }

    @ParameterizedTest
    @MethodSource("codecsForFeedback")
    void feedbackAllocatesNothingToSpeakOf(TestingCodecs kind) {
        Codec codec = kind.codec(LENGTH);
        var feedback = new ErrorFeedback(codec, 1, 0);
        MemorySegment room = TestingVectors.room(codec, LENGTH);

        assertThat(bytesARound(() -> codeWithFeedback(feedback, codec, room)))
                .isLessThanOrEqualTo(MOST_BYTES_A_ROUND);
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

    /** The compiler needs some trials until it removes what does not outlive a call. */
    private long bytesARound(Runnable rounds) {
        long bytesARound = Long.MAX_VALUE;
        for (int i = 0; i < MOST_TRIALS && bytesARound > MOST_BYTES_A_ROUND; i++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            rounds.run();
            bytesARound = (threads.getCurrentThreadAllocatedBytes() - before) / ROUNDS;
        }
        return bytesARound;
    }
}
