package dev.equipoise.app.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class LargestRemainderTest {

    @Test
    void keepsWholeShares() {
        assertThat(LargestRemainder.round(new double[] {1, 2, 3}, 6)).isEqualTo(List.of(1, 2, 3));
    }

    @Test
    void givesWhatIsLeftToTheLargestRemainders() {
        assertThat(LargestRemainder.round(new double[] {1.2, 2.7, 3.1}, 7))
                .isEqualTo(List.of(1, 3, 3));
    }

    @Test
    void equalRemaindersGoByRank() {
        assertThat(LargestRemainder.round(new double[] {1, 1, 1}, 5)).isEqualTo(List.of(2, 2, 1));
    }

    @Test
    void takesSharesInProportion() {
        assertThat(LargestRemainder.round(new double[] {0.5, 1.5}, 100)).isEqualTo(List.of(25, 75));
    }

    @Test
    void refusesSharesOfNothing() {
        assertThatThrownBy(() -> LargestRemainder.round(new double[] {0, 0}, 5))
                .hasMessage("the shares must sum to more than 0, not 0.0");
    }

    @Test
    void losesAndInventsNothingAndStaysWithinOneUnit() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 2000; round++) {
            double[] shares =
                    random.doubles(1 + random.nextInt(40))
                            .map(it -> Math.pow(it, 1 + random.nextInt(8)))
                            .toArray();
            int total = random.nextInt(100_000);
            double sum = DoubleStream.of(shares).sum();

            List<Integer> whole = LargestRemainder.round(shares, total);

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
