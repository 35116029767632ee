package dev.equipoise.agent.gossip;

import java.util.List;
import java.util.stream.IntStream;

/**
 * A partner schedule of gossip (docs/algorithms.md, section 2.1): determines which ranks exchange.
 * It depends on the number of the exchange alone, so that all ranks know it without communication,
 * and a run that continues after an interruption continues the schedule.
 */
public sealed interface Schedule {

    /**
     * Returns the partners of a rank: none, one, or the left one and then the right one; a rank
     * that occurs twice counts twice. A rank is the right partner of its left partner, and the left
     * partner of its right partner.
     *
     * @param rank in {@code 0 .. ranks - 1}
     * @param exchange number of the exchange, from 0; equal on all ranks
     */
    List<Integer> partners(int rank, int ranks, long exchange);

    /**
     * Returns the position of the exchange in the schedule, of which there are at most {@code
     * ranks}: at the same position every rank has the same partners.
     *
     * @return in {@code 0 .. ranks - 1}
     */
    int position(int ranks, long exchange);

    /**
     * Distances 1, 2, ... floor(P / 2), repeated: after one rotation every rank has exchanged with
     * every other one (Tolstobrov, algorithm 2).
     *
     * @param literalPairing whether a rank that is both partners counts twice, as in the text of
     *     the paper; otherwise it counts once
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
     * Dissemination: distances 1, 2, 4, ... below P, repeated. The information of one rank reaches
     * all after ceil(log2 P) exchanges (GossipGraD, Daily et al. 2018, arXiv 1803.05880).
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
     * A fixed distance. If it has a divisor in common with P, the ranks form groups that never
     * exchange with each other.
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
                        ("the distance must not be a multiple of the number of ranks, but was %d of"
                                        + " %d")
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
     * Another schedule over the positions of an order instead of the ranks, such as the order of a
     * ring of fast links: partners are then near in that order. All properties of the base schedule
     * hold.
     *
     * @param base the schedule over positions in the order
     * @param order of all ranks; equal on all of them
     */
    record Ordered(Schedule base, List<Integer> order) implements Schedule {

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
            return base.partners(order.indexOf(rank), ranks, exchange).stream()
                    .map(order::get)
                    .toList();
        }

        @Override
        public int position(int ranks, long exchange) {
            return base.position(ranks, exchange);
        }
    }

    /*
     * The circle method of round-robin tournaments: with an odd number n of ranks, i is paired with
     * j if i + j = r mod n, and the rank with 2 i = r stays alone; with an even number, that rank
     * is paired with the last one, and n counts the others. Drawing r makes every partner equally
     * likely, so that an exchange contracts on average as much as with a matching drawn from all
     * matchings, and a rank finds its partner without computing those of the others.
     */
    /**
     * Random matching: pairs that are redrawn in each exchange; with an odd number of ranks one
     * stays alone.
     *
     * @param seed equal on all ranks
     */
    record RandomMatching(long seed) implements Schedule {

        /** The increment of {@link java.util.SplittableRandom}: exchange t gets its t-th draw. */
        private static final long GAMMA = 0x9E3779B97F4A7C15L;

        private static final long MIX_1 = 0xBF58476D1CE4E5B9L;
        private static final long MIX_2 = 0x94D049BB133111EBL;

        @Override
        public List<Integer> partners(int rank, int ranks, long exchange) {
            int circle = circle(ranks);
            int sum = position(ranks, exchange);
            int unpaired = (int) (sum * ((circle + 1L) / 2) % circle);
            if (rank == circle) {
                return List.of(unpaired);
            }
            if (rank == unpaired) {
                return ranks % 2 == 0 ? List.of(circle) : List.of();
            }
            return List.of(Math.floorMod(sum - rank, circle));
        }

        /** Returns the r of the circle method; the bias of the draw is at most n / 2^64. */
        @Override
        public int position(int ranks, long exchange) {
            return (int) Math.unsignedMultiplyHigh(mixed(seed + exchange * GAMMA), circle(ranks));
        }

        private static int circle(int ranks) {
            return ranks % 2 == 0 ? ranks - 1 : ranks;
        }

        /**
         * The mixing function of SplitMix64 (Steele, Lea and Flood 2014, Fast splittable
         * pseudorandom number generators), without state.
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
