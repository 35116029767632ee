package dev.equipoise.agent.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.agent.network.step.Activation;
import dev.equipoise.protocol.network.Layer.Dropout;
import dev.equipoise.protocol.network.Shape.Vector;
import java.lang.foreign.Arena;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DropoutTest {
    private static final int SIZE = 10_000;
    private static final float RATE = 0.3f;

    private final Arena arena = Arena.ofAuto();
    private final Activation in = Activation.allocate(arena, 1, new Vector(SIZE));
    private final Activation out = Activation.allocate(arena, 1, new Vector(SIZE));
    private final SplitMix64 draws = new SplitMix64(SplitMix64.start(1, 0));
    private final DropoutStep step = new DropoutStep(new Dropout(RATE), in, out, draws);

    @Test
    void dropsTheGivenFractionAndKeepsTheExpectation() {
        in.value().fill(2);
        step.forward();

        double[] values = Samples.doubles(out.value().memory());
        double dropped = 0;
        double sum = 0;
        for (double value : values) {
            dropped += value == 0 ? 1 : 0;
            sum += value;
        }
        // The deviation of the fraction is sqrt(0.3 0.7 / 10,000), half a percent.
        assertThat(dropped / SIZE).isCloseTo(RATE, within(0.02));
        assertThat(sum / SIZE).isCloseTo(2, within(0.06));
    }

    @Test
    void passesTheGradientWhereItPassedTheValue() {
        in.value().fill(1);
        out.wantedGradient().fill(1);
        step.forward();
        step.backward();

        assertThat(Samples.doubles(in.wantedGradient().memory()))
                .containsExactly(Samples.doubles(out.value().memory()));
    }

    @Test
    void dropsNothingInEvaluation() {
        in.value().fill(2);
        step.infer();

        assertThat(Samples.doubles(out.value().memory())).containsOnly(2.0);
        assertThat(draws.state()).isEqualTo(SplitMix64.start(1, 0));
    }

    @Test
    void repeatsItsDrawsFromASavedState() {
        in.value().fill(1);
        long state = draws.state();
        step.forward();
        double[] first = Samples.doubles(out.value().memory());
        step.forward();
        assertThat(Samples.doubles(out.value().memory())).isNotEqualTo(first);

        draws.resume(state);
        step.forward();

        assertThat(Samples.doubles(out.value().memory())).containsExactly(first);
    }

    @Test
    void ranksAndSeedsDrawDifferently() {
        assertThat(
                        Stream.of(
                                        SplitMix64.start(1, 0),
                                        SplitMix64.start(1, 1),
                                        SplitMix64.start(2, 0),
                                        SplitMix64.start(0, 1))
                                .map(state -> new SplitMix64(state).uniform()))
                .doesNotHaveDuplicates();
        assertThat(new SplitMix64(1).uniform()).isBetween(0f, 1f);
    }
}
