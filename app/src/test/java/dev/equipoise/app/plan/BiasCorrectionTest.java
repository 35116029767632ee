package dev.equipoise.app.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.app.plan.BiasCorrection.Correction;
import dev.equipoise.app.plan.BiasCorrection.Scope;
import dev.equipoise.app.plan.BiasCorrection.Trust;
import dev.equipoise.app.prediction.PredictionClass;
import dev.equipoise.app.prediction.PredictionOutcome;
import dev.equipoise.protocol.RunId;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BiasCorrectionTest {

    private static final PredictionClass RING = kind("real", "all-reduce ring");
    private static final PredictionClass GOSSIP = kind("real", "gossip");
    private static final PredictionClass VIRTUAL = kind("virtual", "all-reduce ring");

    private static PredictionClass kind(String execution, String topology) {
        return new PredictionClass(execution, "bsp", topology, "none", "direct", "mnist-cnn");
    }

    /** A completed run with this ratio of measured over modeled epoch time. */
    private static PredictionOutcome run(PredictionClass kind, double ratio) {
        return new PredictionOutcome(
                RunId.of(UUID.randomUUID()), new UUID(0, 1), kind, 2, 2, 2 * ratio);
    }

    private static BiasCorrection of(PredictionOutcome... runs) {
        return new BiasCorrection(List.of(runs));
    }

    @Test
    void medianOfRunsOfTheSameClassCorrectsTheModel() {
        BiasCorrection biasCorrection =
                of(run(RING, 1.2), run(RING, 9), run(RING, 1.1), run(GOSSIP, 5), run(GOSSIP, 5));

        Correction correction = biasCorrection.correction(RING);

        assertThat(correction.scope()).isEqualTo(Scope.KIND);
        assertThat(correction.factor()).isEqualTo(1.2, within(1e-12));
        assertThat(correction.runs()).isEqualTo(3);
        assertThat(correction.spread()).isEqualTo((9 / 1.2 - 1 + 1 - 1.1 / 1.2) / 3, within(1e-12));
    }

    @Test
    void realRunsOfTheLabCorrectClassWithTooFewRuns() {
        BiasCorrection biasCorrection = of(run(RING, 1.2), run(RING, 1.4), run(GOSSIP, 1.6));

        Correction correction = biasCorrection.correction(GOSSIP);

        assertThat(correction.scope()).isEqualTo(Scope.LAB);
        assertThat(correction.factor()).isEqualTo(1.4, within(1e-12));
        assertThat(correction.spread()).isEqualTo(0.4 / 1.4 / 3, within(1e-12));
    }

    /** Predictions of virtual and of real runs have different errors. */
    @Test
    void realRunsDoNotCorrectVirtualRuns() {
        BiasCorrection biasCorrection = of(run(RING, 1.2), run(RING, 1.2), run(RING, 1.2));

        assertThat(biasCorrection.correction(VIRTUAL)).isEqualTo(Correction.NONE);
    }

    /** An error of the model for virtual runs is specific to their class. */
    @Test
    void virtualRunIsCorrectedByItsClassOnly() {
        PredictionClass gossip = kind("virtual", "gossip");
        BiasCorrection biasCorrection = of(run(VIRTUAL, 1.2), run(VIRTUAL, 1.2), run(VIRTUAL, 1.2));

        assertThat(biasCorrection.correction(gossip)).isEqualTo(Correction.NONE);
        assertThat(biasCorrection.correction(VIRTUAL).scope()).isEqualTo(Scope.KIND);
    }

    @Test
    void twoRunsAreTooFewForACorrection() {
        assertThat(of(run(RING, 2), run(RING, 2)).correction(RING)).isEqualTo(Correction.NONE);
    }

    @Test
    void trustIsTheMeanAbsolutePercentageError() {
        assertThat(Trust.of(List.of())).isEqualTo(new Trust(0, null));
        Trust trust = Trust.of(Stream.of(1.25, 0.8).map(it -> run(RING, it)).toList());

        assertThat(trust.runs()).isEqualTo(2);
        assertThat(trust.meanAbsoluteError()).isEqualTo((0.2 + 0.25) / 2, within(1e-12));
    }

    @Test
    void classesWithEnoughRunsAreListed() {
        assertThat(of(run(RING, 1), run(RING, 1), run(GOSSIP, 1), run(RING, 1)).kinds())
                .containsExactly(RING);
    }
}
