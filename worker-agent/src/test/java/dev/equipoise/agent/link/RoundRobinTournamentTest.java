package dev.equipoise.agent.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RoundRobinTournamentTest {

    private static IntStream ranks() {
        return IntStream.rangeClosed(1, 67);
    }

    @ParameterizedTest
    @MethodSource("ranks")
    void everyPairMeetsExactlyOnce(int ranks) {
        List<RankPair> all =
                IntStream.range(0, ranks)
                        .boxed()
                        .flatMap(low ->
                                IntStream.range(low + 1, ranks)
                                        .mapToObj(high -> new RankPair(low, high)))
                        .toList();

        assertThat(RoundRobinTournament.rounds(ranks).stream().flatMap(List::stream))
                .containsExactlyInAnyOrderElementsOf(all);
    }

    @ParameterizedTest
    @MethodSource("ranks")
    void noRankIsInTwoPairsOfOneRound(int ranks) {
        assertThat(RoundRobinTournament.rounds(ranks))
                .allSatisfy(round ->
                        assertThat(
                                        round.stream()
                                                .flatMap(
                                                        pair -> Stream.of(pair.low(), pair.high())))
                                .doesNotHaveDuplicates());
    }

    @ParameterizedTest
    @MethodSource("ranks")
    void atMostOneRankRestsInARound(int ranks) {
        assertThat(RoundRobinTournament.rounds(ranks))
                .hasSize(ranks % 2 == 0 ? ranks - 1 : ranks)
                .allSatisfy(round -> assertThat(round).hasSize(ranks / 2));
    }

    @Test
    void rejectsZeroRanks() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RoundRobinTournament.rounds(0))
                .withMessage("ranks must be at least 1, but were 0");
    }
}
