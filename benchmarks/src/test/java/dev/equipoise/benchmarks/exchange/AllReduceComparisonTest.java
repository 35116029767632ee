package dev.equipoise.benchmarks.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AllReduceComparisonTest {

    @Test
    void ratioIsTheMedianOverThePairs() {
        List<AllReduceComparison> results =
                AllReduceComparison.of(
                        List.of(series(1, 10), series(2, 10), series(4, 10)),
                        Map.of("gloo", List.of(series(3, 5), series(2, 5), series(2, 20))));

        assertThat(results).extracting(AllReduceComparison::bytes).containsExactly(4096L, 65_536L);
        assertThat(results.getFirst().seconds()).isEqualTo(2);
        assertThat(results.getFirst().ratios()).isEqualTo(Map.of("gloo", 1.0));
        assertThat(results.getLast().ratios()).isEqualTo(Map.of("gloo", 0.5));
    }

    @Test
    void peerMayMeasureInAnotherOrder() {
        List<AllReduceComparison> results =
                AllReduceComparison.of(
                        List.of(series(1, 10)), Map.of("gloo", List.of(series(3, 5).reversed())));

        assertThat(results.getFirst().ratios()).isEqualTo(Map.of("gloo", 3.0));
    }

    @Test
    void busSpeedCountsTheFewestBytesPerRank() {
        assertThat(Figure.of(4, 4_000_000, 2).busMegabytesPerSecond()).isEqualTo(3);
    }

    private static List<Figure> series(double small, double large) {
        return List.of(Figure.of(2, 4096, small), Figure.of(2, 65_536, large));
    }
}
