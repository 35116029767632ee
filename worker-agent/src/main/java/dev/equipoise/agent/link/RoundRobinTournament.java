package dev.equipoise.agent.link;

/*
 * Circle method for tournaments (Kirkman 1847; Lucas, Les jeux de demoiselles, 1883). One place is
 * fixed and the others, an odd number n of them, stand in a circle. In round r the fixed place
 * meets r, and r + k meets r - k for every k: the sums of those pairs are all 2 r modulo n, which
 * takes another value in every round, since n is odd, so that no pair repeats. With an odd number
 * of ranks the fixed place stays empty, and the rank that would meet it rests.
 */

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Plans rounds in which every pair of ranks meets once and each rank is in at most one pair a
 * round.
 */
final class RoundRobinTournament {

    private final int ranks;
    private final int circle;

    private RoundRobinTournament(int ranks) {
        this.ranks = ranks;
        this.circle = ranks - 1 + ranks % 2;
    }

    /**
     * Returns the least possible number of rounds: P - 1 if P is even, else P.
     *
     * @param ranks P, at least 1
     */
    static List<List<RankPair>> rounds(int ranks) {
        if (ranks < 1) {
            throw new IllegalArgumentException("ranks must be at least 1, but were " + ranks);
        }
        var tournament = new RoundRobinTournament(ranks);
        return IntStream.range(0, tournament.circle).mapToObj(tournament::round).toList();
    }

    private List<RankPair> round(int round) {
        Stream<RankPair> fixed =
                circle < ranks ? Stream.of(new RankPair(round, circle)) : Stream.empty();
        Stream<RankPair> mirrored =
                IntStream.rangeClosed(1, (circle - 1) / 2)
                        .mapToObj(distance ->
                                RankPair.of(
                                        (round + distance) % circle,
                                        Math.floorMod(round - distance, circle)));
        return Stream.concat(fixed, mirrored).toList();
    }
}
