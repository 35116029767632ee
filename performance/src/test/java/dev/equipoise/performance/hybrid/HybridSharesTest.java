package dev.equipoise.performance.hybrid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.protocol.Partitioning.HybridSolver;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Checks the test vectors of docs/algorithms.md, section 8. */
class HybridSharesTest {

    private static final Perceptron PERCEPTRON = new Perceptron(203, 100, 26);
    private static final Costs COSTS = new Costs(2e-7, 2e-6);

    private static final AllReduceCost SUM = new AllReduceCost(1e-6, 1e-4);

    private static final Iteration ONE_GROUP =
            new Iteration(
                    PERCEPTRON,
                    100,
                    COSTS,
                    SUM,
                    AllReduceCost.NONE,
                    Formation.of(List.of(1.0, 1.0, 0.67, 1.0, 0.5, 1.0, 1.0, 1.0), 1));

    private static final Iteration TWO_GROUPS =
            new Iteration(
                    PERCEPTRON,
                    100,
                    COSTS,
                    SUM,
                    SUM,
                    Formation.of(List.of(2.0, .6, .8, 1.0, 1.2, 1.5, 1.8, .5), 2));

    private static double[] same(int positions) {
        double[] units = new double[positions];
        Arrays.fill(units, 100.0 / positions);
        return units;
    }

    @Test
    void closedFormOfOneGroupMatchesTheTestVector() {
        double[] units = HiddenUnits.closedForm(ONE_GROUP);

        assertThat(units)
                .containsExactly(
                        new double[] {
                            6.4347, 9.0368, 14.0881, 14.0881, 14.0881, 14.0881, 14.0881, 14.0881
                        },
                        within(1e-4));
        double[] samples = ONE_GROUP.samplesOfGroups();
        assertThat(ONE_GROUP.seconds(samples, units)).isEqualTo(0.148412, within(1e-6));
        for (int position = 0; position < 8; position++) {
            assertThat(ONE_GROUP.seconds(position, samples, units))
                    .isEqualTo(0.148412, within(1e-6));
        }
        assertThat(ONE_GROUP.seconds(samples, same(8))).isEqualTo(0.262680, within(1e-6));
    }

    @Test
    void linearProgramMatchesTheClosedFormForOneGroup() {
        double[] samples = ONE_GROUP.samplesOfGroups();

        assertThat(ONE_GROUP.seconds(samples, HiddenUnits.linearProgram(ONE_GROUP, samples)))
                .isEqualTo(0.148412, within(1e-6));
    }

    @Test
    void linearProgramIsFasterThanTheClosedFormForTwoGroups() {
        double[] samples = TWO_GROUPS.samplesOfGroups();
        double[] closed = HiddenUnits.closedForm(TWO_GROUPS);

        assertThat(closed)
                .containsExactly(new double[] {18.858, 22.537, 27.868, 30.737}, within(1e-3));
        assertThat(TWO_GROUPS.seconds(samples, closed)).isEqualTo(0.119943, within(1e-6));
        assertThat(TWO_GROUPS.seconds(samples, HiddenUnits.linearProgram(TWO_GROUPS, samples)))
                .isEqualTo(0.119366, within(1e-6));
        assertThat(TWO_GROUPS.seconds(samples, same(4))).isEqualTo(0.157119, within(1e-6));
    }

    @Test
    void wholeUnitsAreCloseToRealOnes() {
        HybridShares shares = HybridShares.of(ONE_GROUP, HybridSolver.CLOSED_FORM);

        assertThat(shares.units()).containsExactly(7, 9, 14, 14, 14, 14, 14, 14);
        assertThat(shares.seconds()).isBetween(0.148412, 0.148412 * 1.04);
    }

    @Test
    void equalProcessorsGetEqualShares() {
        HybridShares shares =
                HybridShares.of(
                        new Iteration(
                                PERCEPTRON,
                                100,
                                COSTS,
                                SUM,
                                SUM,
                                Formation.of(Collections.nCopies(8, 1.0), 2)),
                        HybridSolver.LINEAR_PROGRAM);

        assertThat(shares.samples()).containsExactly(50, 50);
        assertThat(shares.units()).containsExactly(25, 25, 25, 25);
    }

    @Test
    void rejectsGroupsOfUnequalSize() {
        assertThatThrownBy(() -> Formation.of(Collections.nCopies(8, 1.0), 3))
                .hasMessage("8 processors cannot form 3 groups of equal size: use a divisor");
    }

    @Test
    void triesEveryDivisor() {
        List<HybridShares> all =
                HybridShares.ofAllFormations(
                        PERCEPTRON,
                        100,
                        COSTS,
                        new AllReduceModel(1e-9, 1e-9, 1e-6),
                        List.of(0.5, 0.67, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0),
                        HybridSolver.LINEAR_PROGRAM);

        assertThat(all)
                .extracting(it -> it.formation().dataParallel())
                .containsExactlyInAnyOrder(1, 2, 4, 8);
        assertThat(all).isSortedAccordingTo(Comparator.comparingDouble(HybridShares::seconds));
    }
}
