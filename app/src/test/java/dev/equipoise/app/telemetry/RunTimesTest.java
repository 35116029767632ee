package dev.equipoise.app.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.telemetry.RunTimes.OfRank;
import dev.equipoise.protocol.RunPhases;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunTimesTest {

    private static OfRank time(int generation, int rank, double training, double evaluation) {
        return new OfRank(
                generation,
                rank,
                training + evaluation,
                new RunPhases(0, 0, 0, 0, 0, training, evaluation, 0, 0));
    }

    @Test
    void timesOfARunAreThoseOfTheLongestRankOfEachGeneration() {
        List<OfRank> ranks =
                List.of(time(1, 0, 4, 1), time(1, 1, 2, 8), time(3, 0, 16, 0), time(3, 1, 15, 0.5));

        assertThat(RunTimes.of(ranks))
                .isEqualTo(new RunTimes(26, new RunPhases(0, 0, 0, 0, 0, 18, 8, 0, 0), ranks))
                .satisfies(it -> assertThat(it.phases().sum()).isEqualTo(it.elapsedSeconds()));
    }

    @Test
    void runWithoutReportsHasNoTimes() {
        assertThat(RunTimes.of(List.of())).isNull();
    }
}
