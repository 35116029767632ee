package dev.equipoise.app.plan;

import static dev.equipoise.app.plan.TestingPlans.COMPUTE;
import static dev.equipoise.app.plan.TestingPlans.REAL;
import static dev.equipoise.app.plan.TestingPlans.ROUNDS;
import static dev.equipoise.app.plan.TestingPlans.VIRTUAL;
import static dev.equipoise.app.plan.TestingPlans.configuration;
import static dev.equipoise.app.plan.TestingPlans.model;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.app.run.Prediction;
import dev.equipoise.app.run.RunKind;
import dev.equipoise.app.run.Validated;
import dev.equipoise.protocol.RunId;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ForecastingTest {

    private static final Calibration NOTHING_LEARNT = new Calibration(List.of());

    private static Prediction predicted(RunConfiguration wanted, Calibration calibration) {
        return new Forecasting(model(wanted, 1000.0).rehearsed(0.007), calibration)
                .forecast()
                .prediction();
    }

    private static Calibration thrice(RunConfiguration wanted, double ratio) {
        return new Calibration(
                Collections.nCopies(
                        3,
                        new Validated(
                                RunId.of(new UUID(0, 1)),
                                new UUID(0, 2),
                                RunKind.of(wanted),
                                1,
                                1,
                                ratio)));
    }

    @Test
    void theModelStandsAloneWhereNothingIsLearntAndSaysSo() {
        Prediction prediction = predicted(configuration(REAL), NOTHING_LEARNT);

        assertThat(prediction.epochSeconds()).isEqualTo(ROUNDS * (COMPUTE + 0.007), within(1e-9));
        assertThat(prediction.exchangeSeconds()).isEqualTo(ROUNDS * 0.007, within(1e-9));
        assertThat(prediction.modelSeconds()).isEqualTo(prediction.epochSeconds());
        assertThat(prediction.uncertainty()).isEqualTo(0.1, within(1e-9));
        assertThat(prediction.doubts())
                .containsExactly(
                        "no runs of this lab have shown yet how far such predictions are off");
    }

    @Test
    void earlierRunsCorrectItButNotTheModelThatIsComparedWithThem() {
        RunConfiguration wanted = configuration(REAL);

        Prediction prediction = predicted(wanted, thrice(wanted, 1.5));

        assertThat(prediction.modelSeconds()).isEqualTo(1.7, within(1e-9));
        assertThat(prediction.epochSeconds()).isEqualTo(1.5 * 1.7, within(1e-9));
        assertThat(prediction.computeSeconds() + prediction.exchangeSeconds())
                .isEqualTo(prediction.epochSeconds(), within(1e-9));
        assertThat(prediction.uncertainty()).as("all runs agree").isEqualTo(0, within(1e-9));
        assertThat(prediction.doubts()).isEmpty();
    }

    @Test
    void linksThatNobodyMeasuredAreADoubt() {
        Prediction prediction =
                new Forecasting(model(configuration(REAL), 1000.0), NOTHING_LEARNT)
                        .forecast()
                        .prediction();

        assertThat(prediction.uncertainty()).isGreaterThan(0.15);
        assertThat(prediction.doubts())
                .contains("links that were not measured are taken to have 50 us and 1000 MB/s");
    }

    @Test
    void framesThatDependOnGradientsAreADoubt() {
        Prediction prediction =
                predicted(
                        configuration(VIRTUAL, "compression: {kind: threshold, threshold: 0.01}"),
                        NOTHING_LEARNT);

        assertThat(prediction.uncertainty()).isGreaterThan(0.02);
        assertThat(prediction.doubts())
                .contains("how long its frames are depends on the gradients, and is guessed");
    }
}
