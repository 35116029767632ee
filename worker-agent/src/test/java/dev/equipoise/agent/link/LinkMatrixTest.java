package dev.equipoise.agent.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class LinkMatrixTest {

    private static final long BYTES = 1 << 20;

    private static final LinkCost FAST = new LinkCost(10e-6, 1e-10, 0);
    private static final LinkCost SLOW = new LinkCost(1e-3, 1e-8, 0);

    private static IntStream seeds() {
        return IntStream.rangeClosed(1, 60);
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 6, 9, 10, 11, 16, 24})
    void crossesBetweenTwoIslandsExactlyTwice(int ranks) {
        LinkMatrix matrix = islands(ranks);

        List<Integer> order = matrix.ringOrder(BYTES);

        assertIsARing(order, ranks);
        // In ascending order every link, or all but one, connects the islands.
        assertThat(crossings(order)).isEqualTo(2);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void isNeverWorseThanAscendingOrder(long seed) {
        var random = new SplittableRandom(seed);
        int ranks = random.nextInt(2, 25);
        LinkMatrix matrix = random(random, ranks);

        List<Integer> order = matrix.ringOrder(BYTES);

        assertIsARing(order, ranks);
        assertThat(ring(matrix, ascending(ranks)).isBelow(ring(matrix, order)))
                .as("seed %d, %d ranks, %s", seed, ranks, order)
                .isFalse();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void isOptimalForFewRanks(long seed) {
        var random = new SplittableRandom(seed);
        int ranks = random.nextInt(1, 8);
        LinkMatrix matrix = random(random, ranks);

        RingCost found = ring(matrix, matrix.ringOrder(BYTES));

        List<Integer> others = ascending(ranks);
        assertNoneBelow(found, matrix, others, 1);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void searchForManyRanksIsNearTheOptimumOfFew(long seed) {
        LinkMatrix matrix = random(new SplittableRandom(seed), 8);
        var links = new RingLinks(matrix, BYTES);

        RingCost improved = links.cost(ImprovedRing.order(links));
        RingCost best = links.cost(ExactRing.order(links));

        assertThat(improved.isBelow(best)).as("seed %d", seed).isFalse();
        assertThat(improved.slowest()).as("seed %d", seed).isLessThan(3 * best.slowest());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 10, 11, 40})
    void keepsAscendingOrderForEqualLinks(int ranks) {
        LinkMatrix matrix = matrix(ranks, _ -> FAST);

        assertThat(matrix.ringOrder(BYTES)).isEqualTo(ascending(ranks));
    }

    @Test
    void bestRingDependsOnTheMessageSize() {
        var farButWide = new LinkCost(1e-3, 1e-10, 0);
        var nearButNarrow = new LinkCost(1e-6, 1e-8, 0);
        LinkMatrix matrix = matrix(4, pair -> isNext(pair) ? farButWide : nearButNarrow);

        assertThat(matrix.ringOrder(64 << 20)).isEqualTo(List.of(0, 1, 2, 3));
        assertThat(matrix.ringOrder(64)).isEqualTo(List.of(0, 1, 3, 2));
    }

    private static boolean isNext(RankPair pair) {
        return pair.high() - pair.low() == 1 || pair.high() - pair.low() == 3;
    }

    @Test
    void avoidsASlowLinkAtTheCostOfALongerSum() {
        // By the sum alone 0 1 2 3 is best, with 13; its slowest link takes 10.
        LinkMatrix matrix =
                matrix(
                        4,
                        pair ->
                                switch (pair.low() * 10 + pair.high()) {
                                    case 1, 12, 23 -> new LinkCost(1, 0, 0);
                                    case 3 -> new LinkCost(10, 0, 0);
                                    default -> new LinkCost(8, 0, 0);
                                });

        assertThat(matrix.ringOrder(BYTES)).isEqualTo(List.of(0, 1, 3, 2));
    }

    @Test
    void rejectsALinkWithoutACost() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LinkMatrix(3, Map.of(new RankPair(0, 1), FAST)))
                .withMessageContaining("3 ranks need the costs of 3 pairs");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LinkMatrix(2, Map.of(new RankPair(0, 2), FAST)));
    }

    @Test
    void rejectsALinkOfARankWithItself() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> islands(4).cost(2, 2))
                .withMessage("a pair must be two ranks, the lower first, but was 2 and 2");
    }

    /** Returns links of which those between ranks of equal parity are fast. */
    private static LinkMatrix islands(int ranks) {
        return matrix(ranks, pair -> (pair.high() - pair.low()) % 2 == 0 ? FAST : SLOW);
    }

    private static long crossings(List<Integer> order) {
        return IntStream.range(0, order.size())
                .filter(index ->
                        (order.get(index) + order.get((index + 1) % order.size())) % 2 != 0)
                .count();
    }

    /** Returns random links over three orders of magnitude. */
    private static LinkMatrix random(SplittableRandom random, int ranks) {
        return matrix(
                ranks,
                _ ->
                        new LinkCost(
                                Math.pow(10, random.nextDouble(-6, -3)),
                                Math.pow(10, random.nextDouble(-10, -7)),
                                0));
    }

    private static LinkMatrix matrix(int ranks, CostOfPair cost) {
        Map<RankPair, LinkCost> costs = new HashMap<>();
        for (int low = 0; low < ranks; low++) {
            for (int high = low + 1; high < ranks; high++) {
                var pair = new RankPair(low, high);
                costs.put(pair, cost.of(pair));
            }
        }
        return new LinkMatrix(ranks, costs);
    }

    private interface CostOfPair {
        LinkCost of(RankPair pair);
    }

    private static List<Integer> ascending(int ranks) {
        return IntStream.range(0, ranks).boxed().toList();
    }

    private static RingCost ring(LinkMatrix matrix, List<Integer> order) {
        return new RingLinks(matrix, BYTES)
                .cost(order.stream().mapToInt(Integer::intValue).toArray());
    }

    private static void assertIsARing(List<Integer> order, int ranks) {
        assertThat(order).containsExactlyInAnyOrderElementsOf(ascending(ranks)).startsWith(0);
    }

    /** Tries all orders of the indices from {@code index}, by plain recursion. */
    private static void assertNoneBelow(
            RingCost found, LinkMatrix matrix, List<Integer> order, int index) {
        if (index >= order.size()) {
            assertThat(ring(matrix, order).isBelow(found)).as("%s", order).isFalse();
            return;
        }
        for (int other = index; other < order.size(); other++) {
            List<Integer> swapped = new ArrayList<>(order);
            swapped.set(index, order.get(other));
            swapped.set(other, order.get(index));
            assertNoneBelow(found, matrix, swapped, index + 1);
        }
    }
}
