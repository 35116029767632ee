package dev.equipoise.performance.hybrid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.protocol.network.Preset;
import java.util.List;
import org.junit.jupiter.api.Test;

class SampleWorkTest {

    private static final Perceptron PERCEPTRON =
            Perceptron.of(Preset.MLP_203_100_26.architecture()).orElseThrow();

    /** A single processor takes the time of its measured speed. */
    @Test
    void costsReproduceTheMeasuredSpeed() {
        Iteration alone =
                Iteration.of(
                        PERCEPTRON,
                        40,
                        Costs.of(PERCEPTRON, 0.01),
                        new AllReduceModel(1, 1, 1),
                        Formation.of(List.of(1.0), 1));

        assertThat(alone.seconds(List.of(40), List.of(100))).isEqualTo(0.4, within(1e-12));
    }

    /**
     * By hand: of 0.01 s, the 126 sigmoids take 126 times 2e-5 s; the rest are 48,552
     * multiplications with an addition, of which 100 hidden units have 229 forward and 256
     * backward, and the 26 outputs 2 each.
     */
    @Test
    void measuredSigmoidsLeaveTheRestToTheMultiplications() {
        Costs costs = Costs.of(PERCEPTRON, 0.01, 2e-5);
        Iteration alone =
                Iteration.of(
                        PERCEPTRON,
                        40,
                        costs,
                        new AllReduceModel(1, 1, 1),
                        Formation.of(List.of(1.0), 1));

        assertThat(costs.sigmoid()).isEqualTo(2e-5);
        assertThat(costs.multiplyAdd())
                .isEqualTo((0.01 - 126 * 2e-5) / (100 * (229 + 256) + 2 * 26), within(1e-18));
        assertThat(costs.sigmoidInMultiplyAdds()).isEqualTo(129.818, within(0.001));
        assertThat(alone.seconds(List.of(40), List.of(100))).isEqualTo(0.4, within(1e-12));
        assertThat(Costs.of(PERCEPTRON, 0.01, 1).multiplyAdd()).isPositive();
    }

    @Test
    void workOfAShareMatchesTheIteration() {
        Costs costs = Costs.of(PERCEPTRON, 0.01);
        Iteration pair =
                Iteration.of(
                        PERCEPTRON,
                        10,
                        costs,
                        new AllReduceModel(0, 0, 0),
                        Formation.of(List.of(1.0, 1.0), 1));
        SampleWork half = SampleWork.share(PERCEPTRON, 50);

        assertThat(pair.seconds(List.of(10), List.of(50, 50)))
                .isEqualTo(10 * 0.01 * (half.forward() + half.backward()), within(1e-12));
        assertThat(costs.sigmoid()).isEqualTo(Costs.SIGMOID * costs.multiplyAdd());
    }

    /** Two groups of two: all-reduce seconds on the slowest path, k and h of both kinds. */
    @Test
    void sumSecondsArePartOfTheIteration() {
        AllReduceCost inGroup = new AllReduceCost(1e-6, 1e-3);
        AllReduceCost overGroups = new AllReduceCost(2e-6, 4e-3);
        var it =
                new Iteration(
                        PERCEPTRON,
                        30,
                        Costs.of(PERCEPTRON, 0.01),
                        inGroup,
                        overGroups,
                        Formation.of(List.of(1.0, 1.0, 1.0, 1.0), 2));

        assertThat(it.sumSeconds(List.of(10, 20), List.of(40, 60)))
                .isEqualTo(
                        1e-6 * 20 * 26 + 1e-3 + 2e-6 * 60 * (203 + 26) + 2 * 4e-3, within(1e-12));
        assertThat(it.seconds(List.of(10, 20), List.of(40, 60)))
                .isGreaterThan(it.sumSeconds(List.of(10, 20), List.of(40, 60)));
    }

    @Test
    void perceptronIsEmptyForOtherNetworks() {
        assertThat(Perceptron.of(Preset.MNIST_CNN.architecture())).isEmpty();
        assertThat(PERCEPTRON).isEqualTo(new Perceptron(203, 100, 26));
    }
}
