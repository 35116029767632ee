package dev.equipoise.performance.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.equipoise.testing.Seeds;
import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class RoundingTest {

    private static List<Integer> largestRemainder(int total, double... shares) {
        return Rounding.largestRemainder(shares, EpochWork.of(total, 1, shares.length));
    }

    @Test
    void keepsWholeShares() {
        assertThat(largestRemainder(6, 1, 2, 3)).containsExactly(1, 2, 3);
    }

    @Test
    void givesTheRestToTheLargestRemainders() {
        assertThat(largestRemainder(7, 1.2, 2.7, 3.1)).containsExactly(1, 3, 3);
    }

    @Test
    void breaksTiesInRankOrder() {
        assertThat(largestRemainder(5, 1, 1, 1)).containsExactly(2, 2, 1);
    }

    @Test
    void takesSharesInProportion() {
        assertThat(largestRemainder(100, 0.5, 1.5)).containsExactly(25, 75);
    }

    @Test
    void rejectsSharesThatSumToZero() {
        assertThatThrownBy(() -> largestRemainder(5, 0, 0))
                .hasMessage("the shares sum to 0.0: more than 0 and finite");
    }

    @Test
    void minimaxGivesTheRestToTheRankThatFinishesFirst() {
        var work = EpochWork.of(4, 1, 2);

        assertThat(Rounding.largestRemainder(new double[] {1.6, 2.4}, work)).containsExactly(2, 2);
        assertThat(
                        Rounding.minimax(
                                new double[] {1.6, 2.4},
                                work,
                                (rank, share) -> rank == 0 ? 3.0 * share : 1.5 * share))
                .containsExactly(1, 3);
    }

    @Test
    void sharesStayWithinTheMemoryBound() {
        var work = new EpochWork(10, 2, List.of(1, 100, 2));

        assertThat(Rounding.largestRemainder(new double[] {5, 5, 5}, work))
                .containsExactly(2, 4, 4);
    }

    @Test
    void keepsTheTotalAndStaysWithinOneUnit() {
        long seed = Seeds.seed();
        Random random = new Random(seed);
        for (int round = 0; round < 2000; round++) {
            double[] shares =
                    random.doubles(1 + random.nextInt(40))
                            .map(it -> Math.pow(it, 1 + random.nextInt(8)))
                            .toArray();
            int total = 1 + random.nextInt(100_000);
            double sum = DoubleStream.of(shares).sum();

            List<Integer> whole = largestRemainder(total, shares);

            assertThat(whole.stream().mapToInt(Integer::intValue).sum())
                    .as("seed %d", seed)
                    .isEqualTo(total);
            for (int rank = 0; rank < shares.length; rank++) {
                assertThat(whole.get(rank) - shares[rank] / sum * total)
                        .as("seed %d, rank %d", seed, rank)
                        .isBetween(-1.0, 1.0);
                assertThat(whole.get(rank)).as("seed %d", seed).isNotNegative();
            }
        }
    }
}
