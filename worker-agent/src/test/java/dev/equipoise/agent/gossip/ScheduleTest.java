package dev.equipoise.agent.gossip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScheduleTest {

    private static final int EXCHANGES = 200;
    private static final int MAX_RANKS = 17;

    private static Stream<Schedule> schedules() {
        return Stream.of(
                new Schedule.Linear(false),
                new Schedule.Linear(true),
                new Schedule.Dissemination(),
                new Schedule.Fixed(1),
                new Schedule.RandomMatching(42));
    }

    @ParameterizedTest
    @MethodSource("schedules")
    void aSingleRankHasNoPartner(Schedule schedule) {
        boolean literal = schedule.equals(new Schedule.Linear(true));
        for (int exchange = 0; exchange < EXCHANGES; exchange++) {
            assertThat(schedule.partners(0, 1, exchange)).isEmpty();
            assertThat(schedule.partners(0, 2, exchange))
                    .isEqualTo(literal ? List.of(1, 1) : List.of(1));
        }
    }

    /** Partners must be mutual, so that every frame has a receiver. */
    @ParameterizedTest
    @MethodSource("schedules")
    void partnersAreMutual(Schedule schedule) {
        forAll((rank, ranks, exchange) -> assertMutual(schedule, rank, ranks, exchange));
    }

    private static void assertMutual(Schedule schedule, int rank, int ranks, long exchange) {
        List<Integer> partners = schedule.partners(rank, ranks, exchange);
        assertThat(partners).doesNotContain(rank).hasSizeLessThanOrEqualTo(2);
        if (!partners.isEmpty()) {
            assertThat(schedule.partners(partners.getFirst(), ranks, exchange).getLast())
                    .isEqualTo(rank);
            assertThat(schedule.partners(partners.getLast(), ranks, exchange).getFirst())
                    .isEqualTo(rank);
        }
    }

    @ParameterizedTest
    @MethodSource("schedules")
    void equalPositionsHaveEqualPartners(Schedule schedule) {
        forAll((rank, ranks, exchange) -> assertRepeats(schedule, rank, ranks, exchange));
    }

    private static void assertRepeats(Schedule schedule, int rank, int ranks, long exchange) {
        int position = schedule.position(ranks, exchange);
        assertThat(position).isBetween(0, ranks - 1);
        for (long earlier = 0; earlier < exchange; earlier++) {
            if (schedule.position(ranks, earlier) == position) {
                assertThat(schedule.partners(rank, ranks, exchange))
                        .isEqualTo(schedule.partners(rank, ranks, earlier));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9})
    void orderedSchedulesKeepTheProperties(int ranks) {
        List<Integer> order = shuffled(ranks);
        schedules()
                .forEach(base -> {
                    var schedule = new Schedule.Ordered(base, order);
                    for (int rank = 0; rank < ranks; rank++) {
                        for (int exchange = 0; exchange < 2 * MAX_RANKS; exchange++) {
                            assertMutual(schedule, rank, ranks, exchange);
                            assertRepeats(schedule, rank, ranks, exchange);
                        }
                    }
                });
    }

    private static List<Integer> shuffled(int ranks) {
        List<Integer> order = new ArrayList<>(IntStream.range(0, ranks).boxed().toList());
        Collections.shuffle(order, new SplittableRandom(ranks));
        return order;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9})
    void orderedLinearScheduleReachesAllRanksInOneRotation(int ranks) {
        var schedule = new Schedule.Ordered(new Schedule.Linear(false), shuffled(ranks));
        for (int rank = 0; rank < ranks; rank++) {
            Set<Integer> met = new HashSet<>(Set.of(rank));
            for (int exchange = 0; exchange < ranks / 2; exchange++) {
                met.addAll(schedule.partners(rank, ranks, exchange));
            }
            assertThat(met).hasSize(ranks);
        }
    }

    @Test
    void orderedScheduleFollowsTheOrder() {
        var schedule = new Schedule.Ordered(new Schedule.Fixed(1), List.of(0, 2, 4, 3, 1));

        assertThat(IntStream.range(0, 5).mapToObj(rank -> schedule.partners(rank, 5, 0)))
                .containsExactly(
                        List.of(1, 2), List.of(3, 0), List.of(0, 4), List.of(4, 1), List.of(2, 3));
    }

    @Test
    void rejectsOrdersWithoutAllRanks() {
        var base = new Schedule.Fixed(1);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Schedule.Ordered(base, List.of(0, 2, 2)))
                .withMessage("an order must have every rank once, but was [0, 2, 2]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Schedule.Ordered(base, List.of(1, 0)).partners(0, 3, 0))
                .withMessage("the order must have all 3 ranks, but is [1, 0]");
    }

    @Test
    void linearScheduleRepeatsAllDistances() {
        var schedule = new Schedule.Linear(false);

        assertThat(LongStream.range(0, 5).mapToObj(it -> schedule.partners(0, 8, it)))
                .containsExactly(
                        List.of(7, 1), List.of(6, 2), List.of(5, 3), List.of(4), List.of(7, 1));
    }

    @Test
    void literalPairingCountsAHalfwayPartnerTwice() {
        var schedule = new Schedule.Linear(true);

        assertThat(schedule.partners(1, 8, 3)).containsExactly(5, 5);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5, 8, 13, 16})
    void linearScheduleReachesAllRanksInOneRotation(int ranks) {
        Set<Integer> met = new HashSet<>();
        for (int exchange = 0; exchange < ranks / 2; exchange++) {
            met.addAll(new Schedule.Linear(false).partners(0, ranks, exchange));
        }

        assertThat(met).hasSize(ranks - 1);
    }

    @Test
    void disseminationDoublesTheDistance() {
        var schedule = new Schedule.Dissemination();

        assertThat(LongStream.range(0, 4).mapToObj(it -> schedule.partners(0, 8, it)))
                .containsExactly(List.of(7, 1), List.of(6, 2), List.of(4), List.of(7, 1));
        assertThat(LongStream.range(0, 4).mapToObj(it -> schedule.partners(0, 5, it)))
                .containsExactly(List.of(4, 1), List.of(3, 2), List.of(1, 4), List.of(4, 1));
    }

    @Test
    void fixedScheduleKeepsItsDistance() {
        assertThat(new Schedule.Fixed(2).partners(1, 7, 12)).containsExactly(6, 3);
    }

    @Test
    void rejectsInvalidDistances() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Schedule.Fixed(0))
                .withMessage("the distance must be at least 1, but was 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Schedule.Fixed(6).partners(0, 3, 0))
                .withMessageContaining("but was 6 of 3");
    }

    @Test
    void matchingLeavesOneOfAnOddNumberOfRanksAlone() {
        forAll((rank, ranks, exchange) -> {
            var schedule = new Schedule.RandomMatching(7);
            long alone =
                    IntStream.range(0, ranks)
                            .filter(it -> schedule.partners(it, ranks, exchange).isEmpty())
                            .count();
            assertThat(alone).isEqualTo(ranks % 2);
        });
    }

    /** The count of each partner is binomial; six standard deviations are allowed. */
    @ParameterizedTest
    @ValueSource(ints = {4, 5, 8, 9})
    void matchingDrawsAllPartnersEquallyOften(int ranks) {
        int draws = 20_000;
        var schedule = new Schedule.RandomMatching(3);
        int[] met = new int[ranks];
        for (int exchange = 0; exchange < draws; exchange++) {
            schedule.partners(1, ranks, exchange).forEach(partner -> met[partner]++);
        }

        double chance = 1.0 / (ranks % 2 == 0 ? ranks - 1 : ranks);
        double deviation = Math.sqrt(draws * chance * (1 - chance));
        for (int partner = 0; partner < ranks; partner++) {
            double expected = partner == 1 ? 0 : draws * chance;
            assertThat((double) met[partner])
                    .isBetween(expected - 6 * deviation, expected + 6 * deviation);
        }
    }

    @Test
    void matchingDependsOnTheSeed() {
        assertThat(drawn(1)).isEqualTo(drawn(1)).isNotEqualTo(drawn(2));
    }

    private static List<List<Integer>> drawn(long seed) {
        var schedule = new Schedule.RandomMatching(seed);
        return LongStream.range(0, 20).mapToObj(it -> schedule.partners(0, 16, it)).toList();
    }

    /** A check of a schedule. */
    private interface Check {
        void run(int rank, int ranks, long exchange);
    }

    private static void forAll(Check check) {
        for (int ranks = 2; ranks <= MAX_RANKS; ranks++) {
            for (int rank = 0; rank < ranks; rank++) {
                for (int exchange = 0; exchange < 2 * MAX_RANKS; exchange++) {
                    check.run(rank, ranks, exchange);
                }
            }
        }
    }
}
