package dev.equipoise.agent.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PermutationTest {

    @Test
    void holdsEverySampleOnce() {
        int[] order = Permutation.of(1, 2, 1000);
        Arrays.sort(order);

        assertThat(order).containsExactly(IntStream.range(0, 1000).toArray());
        assertThat(Permutation.of(1, 2, 0)).isEmpty();
        assertThat(Permutation.of(1, 2, 1)).containsExactly(0);
    }

    @Test
    void isEqualOnEveryMachine() {
        // Values of an implementation in another language.
        assertThat(Permutation.of(42, 0, 10)).containsExactly(1, 7, 2, 5, 6, 4, 0, 9, 8, 3);
        assertThat(Permutation.of(42, 1, 10)).containsExactly(3, 0, 6, 8, 4, 5, 1, 7, 2, 9);
    }

    @Test
    void differsByEpochAndBySeed() {
        assertThat(Permutation.of(1, 2, 100)).isNotEqualTo(Permutation.of(1, 3, 100));
        assertThat(Permutation.of(1, 2, 100)).isNotEqualTo(Permutation.of(2, 2, 100));
        assertThat(Permutation.of(1, 2, 100)).isNotEqualTo(Permutation.of(2, 1, 100));
    }

    @Test
    void isUniform() {
        int[][] counts = new int[4][4];
        for (int epoch = 0; epoch < 4000; epoch++) {
            int[] order = Permutation.of(5, epoch, 4);
            for (int place = 0; place < 4; place++) {
                counts[place][order[place]]++;
            }
        }
        // 1000 expected, standard deviation 27: within five standard deviations.
        for (int[] ofPlace : counts) {
            for (int count : ofPlace) {
                assertThat(count).isBetween(863, 1137);
            }
        }
    }
}
