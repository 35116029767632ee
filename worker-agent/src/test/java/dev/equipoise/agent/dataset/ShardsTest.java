package dev.equipoise.agent.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ShardsTest {

    static Stream<Shards> shards() {
        return Stream.of(
                new Shards(List.of(1000), 16),
                new Shards(List.of(300, 0, 200, 501), 10),
                new Shards(List.of(1, 999), 100),
                new Shards(List.of(7, 5), 1),
                new Shards(List.of(0, 0), 1),
                new Shards(List.of(3, 2), 5));
    }

    @ParameterizedTest
    @MethodSource("shards")
    void useEverySampleOncePerEpoch(Shards shards) {
        BitSet used = new BitSet();
        int total = 0;
        for (int rank = 0; rank < shards.shares().size(); rank++) {
            int ofRank = 0;
            for (int round = 0; round < shards.rounds(); round++) {
                Slice batch = shards.batch(rank, round);
                used.set(batch.from(), batch.from() + batch.count());
                ofRank += batch.count();
            }
            assertThat(ofRank).isEqualTo(shards.shares().get(rank));
            total += ofRank;
        }
        assertThat(total).isEqualTo(shards.samples());
        assertThat(used.cardinality()).isEqualTo(shards.samples());
        assertThat(used.length()).isEqualTo(shards.samples());
    }

    @ParameterizedTest
    @MethodSource("shards")
    void haveBatchesThatDifferByAtMostOne(Shards shards) {
        for (int rank = 0; rank < shards.shares().size(); rank++) {
            int largest = shards.largestBatch(rank);
            int of = rank;
            assertThat(IntStream.range(0, shards.rounds()))
                    .allSatisfy(round ->
                            assertThat(shards.batch(of, round).count())
                                    .isBetween(Math.max(0, largest - 1), largest));
        }
    }

    @Test
    void areInTheOrderOfTheRanksWithinARound() {
        Shards shards = new Shards(List.of(30, 0, 20), 5);

        assertThat(shards.batch(0, 1)).isEqualTo(new Slice(10, 6));
        assertThat(shards.batch(1, 1)).isEqualTo(new Slice(16, 0));
        assertThat(shards.batch(2, 1)).isEqualTo(new Slice(16, 4));
        assertThat(shards.batch(0, 2)).isEqualTo(new Slice(20, 6));
    }

    @Test
    void takeTogetherTheSamplesOfASingleRank() {
        Shards alone = new Shards(List.of(400), 10);
        Shards four = new Shards(List.of(100, 100, 100, 100), 10);

        for (int round = 0; round < 10; round++) {
            assertThat(four.batch(0, round).from()).isEqualTo(alone.batch(0, round).from());
            Slice last = four.batch(3, round);
            Slice whole = alone.batch(0, round);
            assertThat(last.from() + last.count()).isEqualTo(whole.from() + whole.count());
        }
    }

    @Test
    void showEachRankTheWholeSetOverTheEpochs() {
        Shards shards = new Shards(List.of(10, 30), 5);
        BitSet seen = new BitSet();
        for (int epoch = 0; epoch < 40; epoch++) {
            int[] order = Permutation.of(3, epoch, 40);
            for (int round = 0; round < shards.rounds(); round++) {
                Slice batch = shards.batch(0, round);
                IntStream.range(batch.from(), batch.from() + batch.count())
                        .forEach(place -> seen.set(order[place]));
            }
        }
        // The probability that a sample is missed 40 times is 0.75^40 = 1e-5.
        assertThat(seen.cardinality()).isEqualTo(40);
    }

    @Test
    void rejectInvalidArguments() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Shards(List.of(), 1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Shards(List.of(3, -1), 1))
                .withMessageContaining("[3, -1]");
        assertThatIllegalArgumentException().isThrownBy(() -> new Shards(List.of(3), 0));
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> new Shards(List.of(3), 2).batch(0, 2));
    }

    /** Takes each sample of the epoch once, at whatever position the ranks continue. */
    @Test
    void restOfAnEpochHasTheSamplesNotYetTaken() {
        var whole = new Shards(List.of(53, 31, 16), 7);
        for (int done = 0; done <= 7; done++) {
            Shards rest = new Shards(List.of(40, 60), 7).after(done, whole.before(done));
            int next = whole.before(done);
            for (int round = done; round < 7; round++) {
                assertThat(rest.before(round)).isEqualTo(next);
                for (int rank = 0; rank < 2; rank++) {
                    assertThat(rest.batch(rank, round))
                            .isEqualTo(new Slice(next, rest.batchSize(rank, round)));
                    next += rest.batchSize(rank, round);
                }
            }
            assertThat(next).isEqualTo(100);
            assertThat(rest.before(7)).isEqualTo(100);
            assertThat(rest.samples()).isEqualTo(100);
        }
    }

    @Test
    void completedRoundsTakeNoSamples() {
        Shards rest = new Shards(List.of(50, 50), 10).after(4, 40);

        assertThat(rest.batchSize(0, 3)).isZero();
        assertThat(rest.shares()).containsExactly(30, 30);
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> rest.batch(0, 3));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Shards(List.of(50, 50), 10).after(10, 90));
    }
}
