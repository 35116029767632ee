package dev.equipoise.agent.synchronization;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.agent.channel.MemoryChannel;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.time.SystemTime;
import dev.equipoise.protocol.Synchronization.Weighting;
import dev.equipoise.protocol.network.Loss.Reduction;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;

class WeightedContributionsTest {

    private final Arena memory = Arena.ofAuto();
    private double factor;
    private double gradientScale;
    private int sums;

    /** Combines 8 samples of this rank of 3 with the figures of the others. */
    private WeightedContributions combine(Weighting weighting, List<Float> ofOthers) {
        return combine(weighting, 8, ofOthers);
    }

    private WeightedContributions combine(Weighting weighting, long samples, List<Float> ofOthers) {
        var contributions =
                new WeightedContributions(
                        Reduction.MEAN,
                        weighting,
                        3,
                        figures -> add(ofOthers, figures),
                        (vector, ownFactor, scale) -> {
                            sums++;
                            factor = ownFactor;
                            gradientScale = scale;
                            return vector;
                        },
                        new Instruments(new SystemTime(), MemoryChannel.join(1).getFirst(), 1),
                        () -> {},
                        memory.allocate(JAVA_FLOAT, 1),
                        memory);
        contributions.prepare(memory.allocate(JAVA_FLOAT, 1), samples, false);
        contributions.combine();
        return contributions;
    }

    private static void add(List<Float> addends, MemorySegment figures) {
        for (int i = 0; i < addends.size(); i++) {
            figures.setAtIndex(JAVA_FLOAT, i, figures.getAtIndex(JAVA_FLOAT, i) + addends.get(i));
        }
    }

    /** Others have 24 samples, none is at its end, and one of the two has any. */
    @Test
    void unweightedMeanIsOverTheRanksWithSamples() {
        WeightedContributions contributions = combine(Weighting.UNWEIGHTED, List.of(24f, 0f, 1f));

        assertThat(factor).isEqualTo(1.0 / (8 * 2));
        assertThat(gradientScale).isEqualTo(8);
        assertThat(contributions.samples()).isEqualTo(32);
    }

    @Test
    void weightedMeanIsOverAllSamples() {
        combine(Weighting.WEIGHTED, List.of(24f, 0f, 1f));

        assertThat(factor).isEqualTo(1.0 / 32);
    }

    /** A codec would send a part of its residual, which no step applies. */
    @Test
    void vectorsWithoutAnySampleAreNotSummed() {
        WeightedContributions contributions = combine(Weighting.WEIGHTED, 0, List.of(0f, 2f, 0f));

        assertThat(sums).isZero();
        assertThat(contributions.samples()).isZero();
        assertThat(contributions.areComplete()).isFalse();
    }

    /** Residuals of the rank without samples are a part of the sum that others step against. */
    @Test
    void vectorsOfRanksWithoutSamplesAreSummedWithOthers() {
        combine(Weighting.WEIGHTED, 0, List.of(24f, 0f, 1f));

        assertThat(sums).isEqualTo(1);
        assertThat(factor).isZero();
    }
}
