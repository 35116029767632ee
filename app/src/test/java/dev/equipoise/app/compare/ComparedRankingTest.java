package dev.equipoise.app.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ComparedRankingTest {

    /** Creates the group of the seeds from 1 with these training times; all accuracies are 0.9. */
    private static ComparedGroup group(double... seconds) {
        List<ComparedRun> runs =
                IntStream.range(0, seconds.length)
                        .mapToObj(i -> TestingComparison.run(i + 1L, 0.9, seconds[i]))
                        .toList();
        return ComparedGroup.of(runs, runs);
    }

    private static final ComparedGroup SLOW = group(20, 21, 22, 23);
    private static final ComparedGroup FAST = group(10, 11, 12, 13);
    private static final ComparedGroup AS_FAST = group(10.5, 11.5, 12.5, 13.5);
    private static final ComparedGroup FEW_SEEDS = group(1, 1, 1);

    @Test
    void groupsWithOverlappingIntervalsTie() {
        assertThat(ComparedRanking.of(List.of(SLOW, AS_FAST, FEW_SEEDS, FAST), null))
                .containsExactly(
                        new ComparedRanking("finalAccuracy", List.of(List.of(0, 1, 3)), List.of(2)),
                        new ComparedRanking(
                                "trainingSeconds", List.of(List.of(3, 1), List.of(0)), List.of(2)));
    }

    @Test
    void targetAddsARanking() {
        assertThat(ComparedRanking.of(List.of(SLOW, FAST), 0.5))
                .contains(
                        new ComparedRanking(
                                "secondsToTarget", List.of(List.of(1), List.of(0)), List.of()));
    }

    @Test
    void singleGroupHasNoRanking() {
        assertThat(ComparedRanking.of(List.of(FAST), 0.5)).isEmpty();
    }
}
