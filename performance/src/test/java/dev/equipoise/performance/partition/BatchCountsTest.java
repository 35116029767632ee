package dev.equipoise.performance.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BatchCountsTest {

    private static final List<Double> PAPER = List.of(1.01, 1.0, 2.31);

    @ParameterizedTest
    @CsvSource({
        "1, 1, 1, 0.694",
        "1, 1, 2, 0.926",
        "2, 2, 5, 0.963",
        "3, 3, 7, 0.993",
        "10, 10, 23, 0.995"
    })
    void efficiencyMatchesTheTable(int first, int second, int third, double efficiency) {
        assertThat(BatchCounts.of(List.of(first, second, third), PAPER).efficiency())
                .isEqualTo(efficiency, within(5.001e-4));
    }

    @Test
    void choicesAscendInEfficiencyAndTotal() {
        assertThat(BatchCounts.choices(PAPER, 43))
                .extracting(BatchCounts::counts)
                .startsWith(List.of(1, 1, 2), List.of(2, 2, 5), List.of(3, 3, 7));
        assertThat(BatchCounts.best(PAPER, 12).counts()).containsExactly(2, 2, 5);
        assertThat(BatchCounts.best(PAPER, 13).counts()).containsExactly(3, 3, 7);
    }

    @Test
    void totalGoesToTheReplicaThatFinishesFirst() {
        assertThat(BatchCounts.ofTotal(4, PAPER).counts()).containsExactly(1, 1, 2);
        assertThat(BatchCounts.ofTotal(13, PAPER).counts()).containsExactly(3, 3, 7);
    }

    @Test
    void flooredCountsAreThoseOfThePaper() {
        assertThat(BatchCounts.floored(List.of(14_028.0, 13_889.0, 32_083.0)).counts())
                .containsExactly(1, 1, 2);
        assertThat(BatchCounts.floored(PAPER).efficiency()).isEqualTo(0.926, within(5.001e-4));
        assertThat(BatchCounts.floored(List.of(0.3, 0.1, 0.19)).counts()).containsExactly(3, 1, 1);
    }

    @Test
    void rejectsALimitBelowOneMiniBatchPerReplica() {
        assertThatThrownBy(() -> BatchCounts.best(PAPER, 2))
                .hasMessage(
                        "the limit of 2 mini-batches a round is too low for 3 replicas: at"
                                + " least 3");
    }

    /** One mini-batch of the slower replica corresponds to 100 of the faster one. */
    @Test
    void bestUsesTheLimitIfEveryChoiceExceedsIt() {
        assertThat(BatchCounts.choices(List.of(1.0, 100.0), 8)).isEmpty();
        assertThat(BatchCounts.best(List.of(1.0, 100.0), 8).counts()).containsExactly(1, 7);
    }

    @Test
    void extremeSpeedRatiosDoNotOverflow() {
        assertThat(BatchCounts.choices(List.of(1e-6, 1e12), 1000)).isEmpty();
        assertThat(BatchCounts.best(List.of(1e-6, 1e12), 10).counts()).containsExactly(1, 9);
    }
}
