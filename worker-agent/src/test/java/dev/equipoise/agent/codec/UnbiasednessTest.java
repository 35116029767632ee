package dev.equipoise.agent.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The mean of many decoded frames approaches the vector as closely as its variance allows. */
class UnbiasednessTest {

    private static final int LENGTH = 1003;
    private static final int ROUNDS = 4000;

    /**
     * Tolerance in standard deviations: of 1000 elements, the farthest is seldom more than 4.5
     * away.
     */
    private static final double DEVIATIONS = 5.5;

    static Stream<TestingCodecs> unbiased() {
        return TestingCodecs.all().filter(kind -> kind.codec(1).isUnbiased());
    }

    @ParameterizedTest
    @MethodSource("unbiased")
    void theMeanOverRoundsApproachesTheVector(TestingCodecs kind) {
        var random = new SplittableRandom(3);
        MemorySegment vector = TestingVectors.of(LENGTH, _ -> draw(random));
        var moments = new Moments(LENGTH);

        decodeManyTimes(kind.codec(LENGTH), vector, moments);

        for (int i = 0; i < LENGTH; i++) {
            assertThat(moments.mean(i))
                    .as("element %d", i)
                    .isCloseTo(
                            TestingVectors.get(vector, i),
                            within(DEVIATIONS * moments.deviationOfMean(i) + 1e-5));
        }
    }

    /** Draws zero, or a value so large that each of its two levels is drawn many times. */
    private static double draw(SplittableRandom random) {
        double magnitude = random.nextInt(10) == 0 ? 0 : random.nextDouble(0.5, 2);
        return random.nextBoolean() ? magnitude : -magnitude;
    }

    private static void decodeManyTimes(Codec codec, MemorySegment vector, Moments moments) {
        MemorySegment buffer = TestingVectors.buffer(codec, LENGTH);
        for (int round = 0; round < ROUNDS; round++) {
            var chance = new CodecRandom(11, 2, round);
            Frame frame = codec.encode(vector, chance, buffer);
            moments.add(TestingVectors.floats(TestingVectors.decoded(codec, frame, chance)));
        }
    }

    private static final class Moments {

        private final double[] sums;
        private final double[] squares;

        Moments(int length) {
            sums = new double[length];
            squares = new double[length];
        }

        void add(float[] values) {
            for (int i = 0; i < values.length; i++) {
                sums[i] += values[i];
                squares[i] += (double) values[i] * values[i];
            }
        }

        double mean(int i) {
            return sums[i] / ROUNDS;
        }

        double deviationOfMean(int i) {
            double variance = Math.max(0, squares[i] / ROUNDS - mean(i) * mean(i));
            return Math.sqrt(variance / ROUNDS);
        }
    }
}
