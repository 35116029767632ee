package dev.equipoise.agent.collective;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.ChannelFailed;
import dev.equipoise.agent.channel.MemoryChannel;
import dev.equipoise.agent.channel.TestingRanks;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WeightedMeanTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void weightsEachRank(int ranks) {
        var inputs = TestingVectors.random(ranks, 1000);

        TestingRanks.run(
                MemoryChannel.join(ranks),
                channel -> {
                    MemorySegment mean = mean(channel, 1000, inputs, 64 + channel.rank());
                    for (int i = 0; i < 1000; i++) {
                        // Products, sums and the reciprocal each round once; values reach 1000.
                        assertThat((double) mean.getAtIndex(JAVA_FLOAT, i))
                                .as("%s, element %d", inputs.description(), i)
                                .isCloseTo(
                                        expected(inputs, i), within((ranks + 4) * 1000 * 0x1p-24));
                    }
                });
    }

    @Test
    void isExactForSmallIntegersOfEqualWeight() {
        List<Float> results = new CopyOnWriteArrayList<>();

        TestingRanks.run(
                MemoryChannel.join(4),
                channel -> {
                    var mean =
                            new WeightedMean(
                                    new RingAllReduce(channel, Arena.ofAuto()), 1, Arena.ofAuto());
                    results.add(mean.of(vector(channel.rank() * 2), 32).get(JAVA_FLOAT, 0));
                });

        assertThat(results).hasSize(4).containsOnly(3f);
    }

    @Test
    void ignoresTheVectorOfARankWithoutWeight() {
        List<Float> results = new CopyOnWriteArrayList<>();

        TestingRanks.run(
                MemoryChannel.join(3),
                channel -> {
                    var mean =
                            new WeightedMean(
                                    new RingAllReduce(channel, Arena.ofAuto()), 1, Arena.ofAuto());
                    boolean idle = channel.rank() == 1;
                    MemorySegment vector = vector(idle ? Float.NaN : 5);
                    results.add(mean.of(vector, idle ? 0 : 1).get(JAVA_FLOAT, 0));
                });

        assertThat(results).hasSize(3).containsOnly(5f);
    }

    @Test
    void isZeroIfAllWeightsAreZero() {
        TestingRanks.run(
                MemoryChannel.join(2),
                channel -> {
                    var mean =
                            new WeightedMean(
                                    new RingAllReduce(channel, Arena.ofAuto()), 1, Arena.ofAuto());
                    assertThat(mean.of(vector(5), 0).get(JAVA_FLOAT, 0)).isZero();
                });
    }

    @Test
    void keepsTheVectorWhenARankIsLost() {
        Channel survivor = MemoryChannel.join(2).getFirst();
        MemorySegment vector = vector(5);
        var mean = new WeightedMean(new RingAllReduce(survivor, Arena.ofAuto()), 1, Arena.ofAuto());
        survivor.close();

        assertThatExceptionOfType(ChannelFailed.class).isThrownBy(() -> mean.of(vector, 3));

        assertThat(vector.get(JAVA_FLOAT, 0)).isEqualTo(5);
    }

    @Test
    void rejectsInvalidWeights() {
        var mean = new WeightedMean(_ -> {}, 1, Arena.ofAuto());

        for (float weight : new float[] {-1, Float.NaN, Float.POSITIVE_INFINITY}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> mean.of(vector(1), weight))
                    .withMessage("the weight must be finite and not negative, but was " + weight);
        }
    }

    @Test
    void rejectsAVectorOfAnotherLength() {
        var mean = new WeightedMean(_ -> {}, 2, Arena.ofAuto());

        assertThatIllegalArgumentException()
                .isThrownBy(() -> mean.of(vector(1), 1))
                .withMessage("the vector must have 8 bytes, but has 4");
    }

    private static MemorySegment mean(
            Channel channel, int length, TestingVectors inputs, float weight) {
        return new WeightedMean(new RingAllReduce(channel, Arena.ofAuto()), length, Arena.ofAuto())
                .of(inputs.ofRanks().get(channel.rank()), weight);
    }

    private static double expected(TestingVectors inputs, int index) {
        double sum = 0;
        double weights = 0;
        for (int rank = 0; rank < inputs.ofRanks().size(); rank++) {
            sum += (64.0 + rank) * inputs.ofRanks().get(rank).getAtIndex(JAVA_FLOAT, index);
            weights += 64.0 + rank;
        }
        return sum / weights;
    }

    private static MemorySegment vector(float value) {
        return Arena.ofAuto().allocateFrom(JAVA_FLOAT, value);
    }
}
