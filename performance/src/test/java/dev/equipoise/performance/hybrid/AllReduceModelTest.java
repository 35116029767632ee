package dev.equipoise.performance.hybrid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.performance.hybrid.AllReduceModel.Timed;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class AllReduceModelTest {

    private static final AllReduceModel TRUE = new AllReduceModel(3e-9, 7e-10, 4e-5);

    private static List<Timed> timed(AllReduceModel model, int... processes) {
        return IntStream.of(processes)
                .boxed()
                .flatMap(p ->
                        IntStream.of(100, 1_000, 10_000, 100_000)
                                .mapToObj(d -> new Timed(p, d, model.over(p).seconds(d))))
                .toList();
    }

    @Test
    void singleProcessCostsNothing() {
        assertThat(TRUE.over(1)).isEqualTo(AllReduceCost.NONE);
    }

    @Test
    void levelsAreLogarithmicBeyondFourProcesses() {
        AllReduceModel levels = new AllReduceModel(0, 0, 1);

        assertThat(IntStream.of(2, 3, 4, 5, 8, 9, 16, 17).mapToDouble(p -> levels.over(p).fixed()))
                .containsExactly(1.0, 2.0, 3.0, 3.0, 3.0, 4.0, 4.0, 5.0);
    }

    @Test
    void calibrationRecoversTheTerms() {
        AllReduceModel found = AllReduceModel.calibrated(timed(TRUE, 2, 4, 8, 16));

        assertThat(found.hop()).isCloseTo(TRUE.hop(), Percentage.withPercentage(0.01));
        assertThat(found.process()).isCloseTo(TRUE.process(), Percentage.withPercentage(0.01));
        assertThat(found.level()).isCloseTo(TRUE.level(), Percentage.withPercentage(0.01));
    }

    /** Up to four processes the first two terms are linearly dependent. */
    @Test
    void calibrationOverFewProcessesRecoversTheSumOfTwoTerms() {
        AllReduceModel found = AllReduceModel.calibrated(timed(TRUE, 2, 3, 4));

        assertThat(found.hop() + found.process()).isEqualTo(3.7e-9, within(1e-12));
        assertThat(found.over(3).seconds(5000)).isEqualTo(TRUE.over(3).seconds(5000), within(1e-9));
    }

    @Test
    void calibrationGivesNoNegativeTerm() {
        List<Timed> falling =
                List.of(
                        new Timed(2, 100, 2e-3),
                        new Timed(2, 10_000, 1e-3),
                        new Timed(8, 100, 1e-3));

        AllReduceModel found = AllReduceModel.calibrated(falling);

        assertThat(List.of(found.hop(), found.process(), found.level()))
                .allSatisfy(it -> assertThat(it).isNotNegative());
    }
}
