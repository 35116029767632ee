package dev.equipoise.app.plan;

import static dev.equipoise.app.plan.TestingPlans.COMPUTE;
import static dev.equipoise.app.plan.TestingPlans.REAL;
import static dev.equipoise.app.plan.TestingPlans.ROUNDS;
import static dev.equipoise.app.plan.TestingPlans.VIRTUAL;
import static dev.equipoise.app.plan.TestingPlans.configuration;
import static dev.equipoise.app.plan.TestingPlans.model;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.prediction.Forecast;
import dev.equipoise.app.prediction.Prediction;
import dev.equipoise.app.prediction.PredictionClass;
import dev.equipoise.app.prediction.PredictionOutcome;
import dev.equipoise.app.prediction.RankSeconds;
import dev.equipoise.app.run.HybridAllocationView;
import dev.equipoise.protocol.Grouping;
import dev.equipoise.protocol.MeasuredLink;
import dev.equipoise.protocol.RunId;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class EpochForecasterTest {

    private static final BiasCorrection NO_CORRECTION = new BiasCorrection(List.of());

    private static Prediction predicted(RunConfiguration wanted, BiasCorrection biasCorrection) {
        return new EpochForecaster(model(wanted, 1000.0).calibrated(0.007), biasCorrection)
                .forecast()
                .prediction();
    }

    private static BiasCorrection thrice(RunConfiguration wanted, double ratio) {
        return new BiasCorrection(
                Collections.nCopies(
                        3,
                        new PredictionOutcome(
                                RunId.of(new UUID(0, 1)),
                                new UUID(0, 2),
                                PredictionClass.of(wanted),
                                1,
                                1,
                                ratio)));
    }

    @Test
    void predictionWithoutEarlierRunsIsTheModelWithACaveat() {
        Prediction prediction = predicted(configuration(REAL), NO_CORRECTION);

        assertThat(prediction.epochSeconds()).isEqualTo(ROUNDS * (COMPUTE + 0.007), within(1e-9));
        assertThat(prediction.exchangeSeconds()).isEqualTo(ROUNDS * 0.007, within(1e-9));
        assertThat(prediction.modelSeconds()).isEqualTo(prediction.epochSeconds());
        assertThat(prediction.uncertainty())
                .as("0.1, and half of the exchange, whose links are calibrated")
                .isEqualTo(0.1 + 0.5 * 0.007 / 0.017, within(1e-9));
        assertThat(prediction.doubts())
                .containsExactly("no completed run of this lab has validated such predictions yet");
    }

    @Test
    void biasCorrectionKeepsModelSeconds() {
        RunConfiguration wanted = configuration(REAL);

        Prediction prediction = predicted(wanted, thrice(wanted, 1.5));

        assertThat(prediction.modelSeconds()).isEqualTo(1.7, within(1e-9));
        assertThat(prediction.epochSeconds()).isEqualTo(1.5 * 1.7, within(1e-9));
        assertThat(prediction.computeSeconds() + prediction.exchangeSeconds())
                .isEqualTo(prediction.epochSeconds(), within(1e-9));
        assertThat(prediction.uncertainty())
                .as("no spread, and half of the exchange, whose links are calibrated")
                .isEqualTo(0.5 * 0.007 / 0.017, within(1e-9));
        assertThat(prediction.doubts()).isEmpty();
    }

    @Test
    void unmeasuredLinksAreACaveat() {
        Prediction prediction =
                new EpochForecaster(model(configuration(REAL), 1000.0), NO_CORRECTION)
                        .forecast()
                        .prediction();

        assertThat(prediction.uncertainty()).isGreaterThan(0.15);
        assertThat(prediction.doubts())
                .contains("links without measurement are assumed to have 50 us and 1000 MB/s");
    }

    @Test
    void framesOfUnknownLengthAreACaveat() {
        Prediction prediction =
                predicted(
                        configuration(VIRTUAL, "compression: {kind: threshold, threshold: 0.01}"),
                        NO_CORRECTION);

        assertThat(prediction.uncertainty()).isGreaterThan(0.02);
        assertThat(prediction.doubts())
                .contains("the length of frames depends on the gradients and is estimated");
    }

    /** Rounds of 1 s with 0.4 s of all-reduces; rank 1 computes half as long as rank 0. */
    @Test
    void hybridPredictionIsCorrectedAsWell() {
        RunConfiguration shared =
                configuration(
                        VIRTUAL,
                        "network: { preset: mlp-203-100-26 }",
                        "dataset: { name: nettalk, limit: 20 }",
                        "workers: { replicas: 2 }",
                        "partitioning: { kind: hybrid, nodeParallel: 2 }");
        var hybrid =
                new HybridAllocationView(
                        new Grouping(List.of(List.of(0, 1)), List.of(67, 33)),
                        List.of(20),
                        List.of(new HybridAllocationView.Formation(2, 1, 1, 0.4, true)),
                        List.of(new RankSeconds(0.6, 0.4, 0), new RankSeconds(0.3, 0.4, 0.3)),
                        1000);
        List<StepTimeModel> stepTimes = Collections.nCopies(2, TestingPlans.stepTime(100));

        Forecast untried =
                EpochForecaster.ofHybrid(
                        shared, hybrid, stepTimes, Optional.empty(), NO_CORRECTION);
        Forecast corrected =
                EpochForecaster.ofHybrid(
                        shared, hybrid, stepTimes, Optional.empty(), thrice(shared, 1.5));
        Forecast guessed =
                EpochForecaster.ofHybrid(
                        shared,
                        hybrid,
                        stepTimes,
                        Optional.of(LinkCosts.measured(2, List.of())),
                        NO_CORRECTION);

        assertThat(untried.prediction().epochSeconds()).isEqualTo(shared.rounds(), within(1e-12));
        assertThat(untried.prediction().uncertainty()).isEqualTo(0.02);
        assertThat(untried.prediction().bytes()).isEqualTo(1000L * shared.rounds());
        assertThat(guessed.prediction().uncertainty())
                .as("0.4 of the time is all-reduces over unmeasured links")
                .isEqualTo(0.02 + 0.4, within(1e-12));
        assertThat(guessed.prediction().doubts()).anyMatch(it -> it.startsWith("links without"));
        assertThat(corrected.prediction().modelSeconds())
                .isEqualTo(untried.prediction().epochSeconds());
        assertThat(corrected.prediction().epochSeconds())
                .isEqualTo(1.5 * shared.rounds(), within(1e-12));
        assertThat(corrected.ranks().getLast().waitSeconds())
                .isEqualTo(1.5 * shared.rounds() * 0.3, within(1e-12));
    }

    @Test
    void partlyMeasuredLinksAreACaveat() {
        RunConfiguration wanted = configuration(REAL);
        EpochTimeModel partly =
                new EpochTimeModel(
                        wanted,
                        Collections.nCopies(4, 1000),
                        Collections.nCopies(4, TestingPlans.stepTime(1000)),
                        LinkCosts.measured(4, List.of(new MeasuredLink(0, 1, 1e-4, 1e-9, 0.05))));

        Prediction prediction = new EpochForecaster(partly, NO_CORRECTION).forecast().prediction();

        assertThat(prediction.doubts())
                .contains(
                        "links without measurement are assumed to be as slow as the slowest"
                                + " measured one");
    }

    @Test
    void disturbedPointsAreACaveat() {
        RunConfiguration wanted = configuration(VIRTUAL);
        StepTimeModel calm = TestingPlans.stepTime(1000);
        EpochTimeModel disturbed =
                new EpochTimeModel(
                        wanted,
                        Collections.nCopies(4, 1000),
                        Collections.nCopies(
                                4,
                                new StepTimeModel(
                                        calm.speed(), 0, 0, 0.5, OptionalDouble.empty(), 0)),
                        TestingPlans.links(wanted));

        assertThat(new EpochForecaster(disturbed, NO_CORRECTION).forecast().prediction().doubts())
                .contains("50 % of the measured points were disturbed by other load");
    }
}
