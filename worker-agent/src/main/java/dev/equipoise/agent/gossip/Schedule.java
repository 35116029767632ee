package dev.equipoise.agent.gossip;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Who exchanges with whom. The answer follows from the number of the exchange alone, so that all
 * ranks know it without asking, and a run that goes on after an interruption goes on with it.
 */
public sealed interface Schedule {

    /**
     * The partners of a rank: none, one, or the left one and then the right one; a rank that comes
     * twice counts twice. Whoever is somebody's left partner has that one as its right.
     *
     * @param rank in {@code 0 .. ranks - 1}
     * @param exchange counted from 0; equal on all ranks
     */
    List<Integer> partners(int rank, int ranks, long exchange);

    /**
     * Which of the different exchanges this one is, of which there are no more than ranks: at the
     * same position everybody has the same partners.
     *
     * @return in {@code 0 .. ranks - 1}
     */
    int position(int ranks, long exchange);

    /**
     * Distance 1, 2, ... floor(P / 2), and again: after one rotation everybody has met everybody
     * (Tolstobrov, algorithm 2).
     *
     * @param literalPairing where both partners are the same rank it counts twice, as the paper's
     *     text has it; otherwise once
     */
    record Linear(boolean literalPairing) implements Schedule {

        @Override
        public List<Integer> partners(int rank, int ranks, long exchange) {
            if (ranks == 1) {
                return List.of();
            }
            int distance = 1 + position(ranks, exchange);
            return literalPairing
                    ? List.of(left(rank, ranks, distance), right(rank, ranks, distance))
                    : atDistance(rank, ranks, distance);
        }

        @Override
        public int position(int ranks, long exchange) {
            return (int) (exchange % Math.max(1, ranks / 2));
        }
    }

    /**
     * Distance 1, 2, 4, ... below P, and again: what one rank knows has reached all after ceil(log2
     * P) exchanges (GossipGraD, Daily et al. 2018, arXiv 1803.05880).
     */
    record Dissemination() implements Schedule {

        @Override
        public List<Integer> partners(int rank, int ranks, long exchange) {
            if (ranks == 1) {
                return List.of();
            }
            return atDistance(rank, ranks, 1 << position(ranks, exchange));
        }

        @Override
        public int position(int ranks, long exchange) {
            int rounds = Integer.SIZE - Integer.numberOfLeadingZeros(ranks - 1);
            return (int) (exchange % Math.max(1, rounds));
        }
    }

    /**
     * Always the same distance. Where it has a divisor in common with P, the ranks fall into groups
     * that never hear of each other.
     *
     * @param distance from 1; no multiple of the number of ranks
     */
    record Fixed(int distance) implements Schedule {

        public Fixed {
            if (distance < 1) {
                throw new IllegalArgumentException(
                        "the distance must be at least 1, but was " + distance);
            }
        }

        @Override
        public List<Integer> partners(int rank, int ranks, long exchange) {
            if (ranks == 1) {
                return List.of();
            }
            if (distance % ranks == 0) {
                throw new IllegalArgumentException(
                        "the distance must not lead back to the rank itself, but was %d of %d"
                                .formatted(distance, ranks));
            }
            return atDistance(rank, ranks, distance);
        }

        @Override
        public int position(int ranks, long exchange) {
            return 0;
        }
    }

    /**
     * Another schedule among the places of an order in place of the ranks, such as that of a ring
     * of fast links: neighbours are then those who are near in that order. What holds for the other
     * schedule holds for this one.
     *
     * @param places who exchanges with whom, by places in the order
     * @param order of all ranks; equal on all
     */
    record Ordered(Schedule places, List<Integer> order) implements Schedule {

        public Ordered {
            order = List.copyOf(order);
            if (!order.stream().sorted().toList().equals(naturalOrder(order.size()))) {
                throw new IllegalArgumentException(
                        "an order must have every rank once, but was " + order);
            }
        }

        private static List<Integer> naturalOrder(int ranks) {
            return IntStream.range(0, ranks).boxed().toList();
        }

        @Override
        public List<Integer> partners(int rank, int ranks, long exchange) {
            if (ranks != order.size()) {
                throw new IllegalArgumentException(
                        "the order must have all %d ranks, but is %s".formatted(ranks, order));
            }
            return places.partners(order.indexOf(rank), ranks, exchange).stream()
                    .map(order::get)
                    .toList();
        }

        @Override
        public int position(int ranks, long exchange) {
            return places.position(ranks, exchange);
        }
    }

    /*
     * The circle method of round-robin tournaments: with an odd number n of ranks, i meets j where
     * i + j = r mod n, and the one with 2 i = r stays alone; with an even number, that one meets the
     * last rank and n counts the others. Drawing r makes every partner equally likely, so that an
     * exchange contracts as much, on average, as with a matching drawn from all matchings; and a
     * rank finds its partner without finding those of the others.
     */
    /**
     * Pairs, drawn anew each time; with an odd number of ranks one stays alone.
     *
     * @param seed equal on all ranks
     */
    record RandomMatching(long seed) implements Schedule {

        /**
         * By which a {@link java.util.SplittableRandom} moves on: exchange t gets its t-th draw.
         */
        private static final long GAMMA = 0x9E3779B97F4A7C15L;

        private static final long MIX_1 = 0xBF58476D1CE4E5B9L;
        private static final long MIX_2 = 0x94D049BB133111EBL;

        @Override
        public List<Integer> partners(int rank, int ranks, long exchange) {
            int circle = circle(ranks);
            int sum = position(ranks, exchange);
            int single = (int) (sum * ((circle + 1L) / 2) % circle);
            if (rank == circle) {
                return List.of(single);
            }
            if (rank == single) {
                return ranks % 2 == 0 ? List.of(circle) : List.of();
            }
            return List.of(Math.floorMod(sum - rank, circle));
        }

        /** The r of the circle; that some come once more in 2^64 draws is no bias. */
        @Override
        public int position(int ranks, long exchange) {
            return (int) Math.unsignedMultiplyHigh(mixed(seed + exchange * GAMMA), circle(ranks));
        }

        private static int circle(int ranks) {
            return ranks % 2 == 0 ? ranks - 1 : ranks;
        }

        /**
         * Steele, Lea and Flood 2014, Fast splittable pseudorandom number generators; nothing kept.
         */
        private static long mixed(long state) {
            long once = (state ^ (state >>> 30)) * MIX_1;
            long twice = (once ^ (once >>> 27)) * MIX_2;
            return twice ^ (twice >>> 31);
        }
    }

    private static List<Integer> atDistance(int rank, int ranks, int distance) {
        int left = left(rank, ranks, distance);
        int right = right(rank, ranks, distance);
        return left == right ? List.of(left) : List.of(left, right);
    }

    private static int left(int rank, int ranks, int distance) {
        return Math.floorMod(rank - distance, ranks);
    }

    private static int right(int rank, int ranks, int distance) {
        return Math.floorMod(rank + distance, ranks);
    }
}
