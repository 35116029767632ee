package dev.equipoise.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.run.EpochResultRepository.WholeEpoch;
import java.util.List;
import org.junit.jupiter.api.Test;

class MeasuredTest {

    @Test
    void isTheMedianTimeAndTheAccuracyWhenTheTestSetWasLastLookedAt() {
        var first = new WholeEpoch(1, 9, 0.7, 0.9, 1);
        var second = new WholeEpoch(2, 4, 0.8, 0.6, 1);
        var third = new WholeEpoch(3, 5, null, null, 1);

        assertThat(Measured.of(List.of(first))).isEqualTo(new Measured(9, 0.7, 0.9, true));
        assertThat(Measured.of(List.of(first, second)))
                .isEqualTo(new Measured(6.5, 0.8, 0.6, true));
        assertThat(Measured.of(List.of(first, second, third)))
                .isEqualTo(new Measured(5, 0.8, 0.6, true));
    }

    @Test
    void replicasThatDifferedOnceWereNotIdentical() {
        var same = new WholeEpoch(1, 1, 0.5, 0.5, 1);
        var different = new WholeEpoch(2, 1, 0.5, 0.5, 2);

        assertThat(Measured.of(List.of(different, same)).replicasIdentical()).isFalse();
    }
}
