package dev.equipoise.agent.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
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

    static Stream<TestingCodecs> codecs() {
        return TestingCodecs.forFeedback();
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void allocatesNothingToSpeakOf(TestingCodecs kind) {
        Codec codec = kind.codec(LENGTH);
        var training = new Training(codec);
        long bytesARound = Long.MAX_VALUE;
        for (int i = 0; i < MOST_TRIALS && bytesARound > MOST_BYTES_A_ROUND; i++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            training.rounds();
            bytesARound = (threads.getCurrentThreadAllocatedBytes() - before) / ROUNDS;
        }

        assertThat(bytesARound).isLessThanOrEqualTo(MOST_BYTES_A_ROUND);
    }

    private static final class Training {

        private final Codec codec;
        private final ErrorFeedback feedback;
        private final MemorySegment gradient = TestingVectors.random(LENGTH, 1);
        private final MemorySegment decoded = TestingVectors.zeros(LENGTH);
        private final MemorySegment room;
        private Residual residual = Residual.zero(LENGTH, Arena.ofAuto());

        Training(Codec codec) {
            this.codec = codec;
            this.feedback = new ErrorFeedback(codec, 1, 0);
            this.room = TestingVectors.room(codec, LENGTH);
        }

        void rounds() {
            for (int round = 0; round < ROUNDS; round++) {
                var encoded = feedback.encode(residual, gradient, room);
                codec.decode(encoded.frame(), encoded.chance(), decoded);
                residual = encoded.next();
            }
        }
    }
}
