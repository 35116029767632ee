package dev.equipoise.agent.link;

/*
 * The circle method for tournaments (Kirkman, 1847; Lucas, Les jeux de demoiselles, 1883). One
 * place is fixed and the others, an odd number n of them, stand in a circle. In round r the fixed
 * place meets r, and r + k meets r - k for every k: the sums of those pairs are all 2 r modulo n,
 * which, n being odd, is another value in every round, so that no pair comes twice. Where the ranks
 * are odd in number the fixed place stays empty and who would meet it rests.
 */

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Plans rounds in which every pair of ranks meets once, and every rank one other at a time. */
final class Pairing {

    private final int ranks;
    private final int circle;

    private Pairing(int ranks) {
        this.ranks = ranks;
        this.circle = ranks - 1 + ranks % 2;
    }

    /**
     * As few rounds as there can be: P - 1 where P is even, else P.
     *
     * @param ranks P, at least 1
     */
    static List<List<RankPair>> rounds(int ranks) {
        if (ranks < 1) {
            throw new IllegalArgumentException("there must be a rank, but were " + ranks);
        }
        var pairing = new Pairing(ranks);
        return IntStream.range(0, pairing.circle).mapToObj(pairing::round).toList();
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
