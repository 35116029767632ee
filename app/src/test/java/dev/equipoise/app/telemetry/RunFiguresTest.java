package dev.equipoise.app.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.telemetry.EpochStore.WholeEpoch;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunFiguresTest {

    @Test
    void figuresAreTheMedianTimeAndTheLastEvaluation() {
        var first = new WholeEpoch(1, 9, 0.7, 0.9, 1);
        var second = new WholeEpoch(2, 4, 0.8, 0.6, 1);
        var third = new WholeEpoch(3, 5, null, null, 1);

        assertThat(RunFigures.of(List.of(first))).isEqualTo(new RunFigures(9, 0.7, 0.9, true));
        assertThat(RunFigures.of(List.of(first, second)))
                .isEqualTo(new RunFigures(6.5, 0.8, 0.6, true));
        assertThat(RunFigures.of(List.of(first, second, third)))
                .isEqualTo(new RunFigures(5, 0.8, 0.6, true));
    }

    @Test
    void replicasThatDifferedOnceAreNotIdentical() {
        var same = new WholeEpoch(1, 1, 0.5, 0.5, 1);
        var different = new WholeEpoch(2, 1, 0.5, 0.5, 2);

        assertThat(RunFigures.of(List.of(different, same)).replicasIdentical()).isFalse();
    }
}
