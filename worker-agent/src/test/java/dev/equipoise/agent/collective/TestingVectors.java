package dev.equipoise.agent.collective;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.TestingRanks;
import dev.equipoise.agent.time.SystemTime;
import dev.equipoise.protocol.Topology.Algorithm;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.stream.IntStream;

/** One vector for each rank, and their sum by plain addition in double precision. */
record TestingVectors(String description, List<MemorySegment> ofRanks) {

    /** Returns values that make rounding visible: of both signs and many magnitudes. */
    static TestingVectors random(int ranks, int length) {
        long seed = 1000L * ranks + length;
        var random = new SplittableRandom(seed);
        return generate(
                "%d ranks, %d elements, seed %d".formatted(ranks, length, seed),
                ranks,
                length,
                () -> random.nextDouble(-1, 1) * Math.pow(10, random.nextInt(-3, 4)));
    }

    /** Returns integers so small that float32 adds them without rounding. */
    static TestingVectors integers(int ranks, int length) {
        long seed = 7000L * ranks + length;
        var random = new SplittableRandom(seed);
        return generate(
                "%d ranks, %d integers, seed %d".formatted(ranks, length, seed),
                ranks,
                length,
                () -> random.nextInt(-1000, 1001));
    }

    private static TestingVectors generate(
            String description, int ranks, int length, DoubleSupplier values) {
        return new TestingVectors(
                description,
                IntStream.range(0, ranks).mapToObj(_ -> vector(length, values)).toList());
    }

    static MemorySegment vector(int length, DoubleSupplier values) {
        MemorySegment vector = Arena.ofAuto().allocate(JAVA_FLOAT, length);
        for (int i = 0; i < length; i++) {
            vector.setAtIndex(JAVA_FLOAT, i, (float) values.getAsDouble());
        }
        return vector;
    }

    TestingVectors copy() {
        return new TestingVectors(
                description,
                ofRanks.stream()
                        .map(vector -> Arena.ofAuto().allocate(vector.byteSize()).copyFrom(vector))
                        .toList());
    }

    /** Sums the vectors over all ranks; the sum replaces them. */
    void sumOver(List<Channel> channels, Algorithm algorithm) {
        sumOver(
                channels,
                channel ->
                        AllReduces.of(
                                algorithm, channel, length(), new SystemTime(), Arena.ofAuto()));
    }

    void sumOver(List<Channel> channels, Function<Channel, AllReduce> allReduce) {
        TestingRanks.run(
                channels, channel -> allReduce.apply(channel).sum(ofRanks.get(channel.rank())));
    }

    int length() {
        return (int) (ofRanks.getFirst().byteSize() / Float.BYTES);
    }

    void assertSameBitsOnAllRanks() {
        for (MemorySegment vector : ofRanks) {
            assertThat(vector.mismatch(ofRanks.getFirst())).as(description).isEqualTo(-1);
        }
    }

    /**
     * Compares a vector with the sum of these vectors. P - 1 additions in float32 are off by at
     * most (P - 1) 2^-24 of the sum of the magnitudes, and a little more for second-order terms.
     */
    void assertSum(MemorySegment actual) {
        assertSum(actual, ofRanks.size() * 0x1p-24);
    }

    void assertExactSum(MemorySegment actual) {
        assertSum(actual, 0);
    }

    private void assertSum(MemorySegment actual, double relativeTolerance) {
        for (int i = 0; i < length(); i++) {
            double sum = 0;
            double magnitude = 0;
            for (MemorySegment vector : ofRanks) {
                double value = vector.getAtIndex(JAVA_FLOAT, i);
                sum += value;
                magnitude += Math.abs(value);
            }
            assertClose(actual.getAtIndex(JAVA_FLOAT, i), sum, relativeTolerance * magnitude, i);
        }
    }

    private void assertClose(double actual, double expected, double tolerance, int index) {
        // AssertJ builds its description each time, which is slow for a million elements.
        if (Math.abs(actual - expected) <= tolerance) {
            return;
        }
        assertThat(actual)
                .as("%s, element %d", description, index)
                .isCloseTo(expected, within(tolerance));
    }
}
