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
import dev.equipoise.app.run.Forecast;
import dev.equipoise.app.run.Hybrid;
import dev.equipoise.app.run.Prediction;
import dev.equipoise.app.run.RankSeconds;
import dev.equipoise.app.run.RunKind;
import dev.equipoise.app.run.Validated;
import dev.equipoise.protocol.Grouping;
import dev.equipoise.protocol.MeasuredLink;
import dev.equipoise.protocol.RunId;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
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
        assertThat(prediction.uncertainty())
                .as("and half of the exchange, which was rehearsed once")
                .isEqualTo(0.1 + 0.5 * 0.007 / 0.017, within(1e-9));
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
        assertThat(prediction.uncertainty())
                .as("all runs agree, and the exchange was rehearsed once")
                .isEqualTo(0.5 * 0.007 / 0.017, within(1e-9));
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

    /** Two rounds of a second, 0.4 of it sums; the second rank computes half as long. */
    @Test
    void whatRanksThatShareHiddenUnitsTakeIsCorrectedAsWell() {
        RunConfiguration shared =
                configuration(
                        VIRTUAL,
                        "network: { preset: mlp-203-100-26 }",
                        "dataset: { name: nettalk, limit: 20 }",
                        "workers: { replicas: 2 }",
                        "partitioning: { kind: hybrid, nodeParallel: 2 }");
        var hybrid =
                new Hybrid(
                        new Grouping(List.of(List.of(0, 1)), List.of(67, 33)),
                        List.of(20),
                        List.of(new Hybrid.Formation(2, 1, 1, 0.4, true)),
                        List.of(new RankSeconds(0.6, 0.4, 0), new RankSeconds(0.3, 0.4, 0.3)),
                        1000);
        List<Pace> paces = Collections.nCopies(2, TestingPlans.pace(100));

        Forecast untried =
                Forecasting.ofHybrid(shared, hybrid, paces, Optional.empty(), NOTHING_LEARNT);
        Forecast corrected =
                Forecasting.ofHybrid(shared, hybrid, paces, Optional.empty(), thrice(shared, 1.5));
        Forecast guessed =
                Forecasting.ofHybrid(
                        shared,
                        hybrid,
                        paces,
                        Optional.of(LinkCosts.measured(2, List.of())),
                        NOTHING_LEARNT);

        assertThat(untried.prediction().epochSeconds()).isEqualTo(shared.rounds(), within(1e-12));
        assertThat(untried.prediction().uncertainty()).isEqualTo(0.02);
        assertThat(untried.prediction().bytes()).isEqualTo(1000L * shared.rounds());
        assertThat(guessed.prediction().uncertainty())
                .as("two fifths are sums over links that nobody measured")
                .isEqualTo(0.02 + 0.4, within(1e-12));
        assertThat(guessed.prediction().doubts()).anyMatch(it -> it.startsWith("links that"));
        assertThat(corrected.prediction().modelSeconds())
                .isEqualTo(untried.prediction().epochSeconds());
        assertThat(corrected.prediction().epochSeconds())
                .isEqualTo(1.5 * shared.rounds(), within(1e-12));
        assertThat(corrected.ranks().getLast().waitSeconds())
                .isEqualTo(1.5 * shared.rounds() * 0.3, within(1e-12));
    }

    @Test
    void linksOfWhichSomeAreMeasuredAreADoubtOfTheirOwn() {
        RunConfiguration wanted = configuration(REAL);
        TimeModel partly =
                new TimeModel(
                        wanted,
                        Collections.nCopies(4, 1000),
                        Collections.nCopies(4, TestingPlans.pace(1000)),
                        LinkCosts.measured(4, List.of(new MeasuredLink(0, 1, 1e-4, 1e-9, 0.05))));

        Prediction prediction = new Forecasting(partly, NOTHING_LEARNT).forecast().prediction();

        assertThat(prediction.doubts())
                .contains(
                        "links that were not measured are taken to be like the slowest of those"
                                + " that were");
    }

    @Test
    void speedsThatOtherLoadHasDisturbedAreADoubt() {
        RunConfiguration wanted = configuration(VIRTUAL);
        Pace calm = TestingPlans.pace(1000);
        TimeModel disturbed =
                new TimeModel(
                        wanted,
                        Collections.nCopies(4, 1000),
                        Collections.nCopies(4, new Pace(calm.speed(), 0, 0, 0.5, 0)),
                        TestingPlans.links(wanted));

        assertThat(new Forecasting(disturbed, NOTHING_LEARNT).forecast().prediction().doubts())
                .contains("50 % of the measured speeds were disturbed by other load");
    }
}
