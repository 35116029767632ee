package dev.equipoise.app.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.app.plan.Calibration.Correction;
import dev.equipoise.app.plan.Calibration.Scope;
import dev.equipoise.app.plan.Calibration.Trust;
import dev.equipoise.app.run.RunKind;
import dev.equipoise.app.run.Validated;
import dev.equipoise.protocol.RunId;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CalibrationTest {

    private static final RunKind RING = kind("real", "all-reduce ring");
    private static final RunKind GOSSIP = kind("real", "gossip");
    private static final RunKind VIRTUAL = kind("virtual", "all-reduce ring");

    private static RunKind kind(String execution, String topology) {
        return new RunKind(execution, "bsp", topology, "none", "direct", "mnist-cnn");
    }

    /** That took so many times as long as the model had said. */
    private static Validated run(RunKind kind, double ratio) {
        return new Validated(RunId.of(UUID.randomUUID()), new UUID(0, 1), kind, 2, 2, 2 * ratio);
    }

    private static Calibration of(Validated... runs) {
        return new Calibration(List.of(runs));
    }

    @Test
    void theMedianOfRunsOfTheSameKindCorrectsTheModel() {
        Calibration calibration =
                of(run(RING, 1.2), run(RING, 9), run(RING, 1.1), run(GOSSIP, 5), run(GOSSIP, 5));

        Correction correction = calibration.correction(RING);

        assertThat(correction.scope()).isEqualTo(Scope.KIND);
        assertThat(correction.factor()).isEqualTo(1.2, within(1e-12));
        assertThat(correction.runs()).isEqualTo(3);
        assertThat(correction.spread()).isEqualTo((9 / 1.2 - 1 + 1 - 1.1 / 1.2) / 3, within(1e-12));
    }

    @Test
    void whereThereAreTooFewOfAKindTheLabCorrectsIt() {
        Calibration calibration = of(run(RING, 1.2), run(RING, 1.4), run(GOSSIP, 1.6));

        Correction correction = calibration.correction(GOSSIP);

        assertThat(correction.scope()).isEqualTo(Scope.LAB);
        assertThat(correction.factor()).isEqualTo(1.4, within(1e-12));
        assertThat(correction.spread()).isEqualTo(0.4 / 1.4 / 3, within(1e-12));
    }

    /** A virtual clock does not go wrong as a real one does. */
    @Test
    void realAndVirtualRunsTellNothingOfOneAnother() {
        Calibration calibration = of(run(RING, 1.2), run(RING, 1.2), run(RING, 1.2));

        assertThat(calibration.correction(VIRTUAL)).isEqualTo(Correction.NONE);
    }

    /** What the model plays is off, if at all, for reasons of the kind. */
    @Test
    void aVirtualRunIsCorrectedByItsKindAlone() {
        RunKind gossip = kind("virtual", "gossip");
        Calibration calibration = of(run(VIRTUAL, 1.2), run(VIRTUAL, 1.2), run(VIRTUAL, 1.2));

        assertThat(calibration.correction(gossip)).isEqualTo(Correction.NONE);
        assertThat(calibration.correction(VIRTUAL).scope()).isEqualTo(Scope.KIND);
    }

    @Test
    void twoRunsAreTooFewToLearnFrom() {
        assertThat(of(run(RING, 2), run(RING, 2)).correction(RING)).isEqualTo(Correction.NONE);
    }

    @Test
    void trustIsTheMeanOfTheErrorsAsTheyWereTold() {
        assertThat(Trust.of(List.of())).isEqualTo(new Trust(0, null));
        Trust trust = Trust.of(Stream.of(1.25, 0.8).map(it -> run(RING, it)).toList());

        assertThat(trust.runs()).isEqualTo(2);
        assertThat(trust.meanAbsoluteError()).isEqualTo((0.2 + 0.25) / 2, within(1e-12));
    }

    @Test
    void kindsAreToldOfWhichThereAreEnough() {
        assertThat(of(run(RING, 1), run(RING, 1), run(GOSSIP, 1), run(RING, 1)).kinds())
                .containsExactly(RING);
    }
}
