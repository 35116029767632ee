package dev.equipoise.app.schedule;

import static dev.equipoise.app.schedule.TestingPlacement.queued;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.queue.QueuedRun;
import dev.equipoise.testing.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FairShareTest {

    private static final UUID RED = new UUID(1, 1);
    private static final UUID BLUE = new UUID(1, 2);

    private static final PriorityAging NO_AGING = new PriorityAging(Duration.ZERO);

    private static List<QueuedRun> order(Map<UUID, Double> used, QueuedRun... queue) {
        return new FairShare(used, NO_AGING, _ -> 10).order(List.of(queue));
    }

    @Test
    void projectWithLessUsageGoesFirst() {
        QueuedRun red = queued(1, RED, 0);
        QueuedRun blue = queued(2, BLUE, 0);

        assertThat(order(Map.of(), red, blue)).containsExactly(red, blue);
        assertThat(order(Map.of(RED, 1.0), red, blue)).containsExactly(blue, red);
    }

    @Test
    void earlierRunsCountAsUsage() {
        QueuedRun first = queued(1, RED, 0);
        QueuedRun second = queued(2, RED, 0);
        QueuedRun third = queued(3, RED, 0);
        QueuedRun other = queued(4, BLUE, 0);

        assertThat(order(Map.of(BLUE, 15.0), first, second, third, other))
                .containsExactly(first, second, other, third);
    }

    @Test
    void priorityOrdersOnlyRunsOfOneProject() {
        QueuedRun older = queued(1, RED, 0);
        QueuedRun urgent = queued(2, RED, 100);
        QueuedRun late = queued(3, RED, -1);
        QueuedRun other = queued(4, BLUE, -100);

        assertThat(order(Map.of(), older, urgent, late, other))
                .containsExactly(urgent, other, older, late);
    }

    /** Covers one worker and a new run of higher priority each time that it becomes free. */
    @Test
    void agingReachesLowPriorityRunInAStreamOfHighOnes() {
        PriorityAging aging = new PriorityAging(Duration.ofSeconds(3));
        List<QueuedRun> waiting = new ArrayList<>(List.of(queued(0, RED, 0)));
        int passes = 0;
        while (waiting.contains(queued(0, RED, 0))) {
            passes++;
            waiting.add(queued(passes, RED, 10));
            waiting.remove(
                    new FairShare(Map.of(), aging, _ -> 1).order(List.copyOf(waiting)).getFirst());
            assertThat(passes).isLessThanOrEqualTo(31);
        }
        assertThat(passes).as("10 steps of 3 seconds").isEqualTo(30);
    }

    @Test
    void priorityStepIsWorthItsWaitingTime() {
        PriorityAging aging = new PriorityAging(Duration.ofSeconds(3));
        QueuedRun older = queued(1, RED, 0);

        assertThat(aging.order().compare(older, queued(4, RED, 1))).isZero();
        assertThat(aging.order().compare(older, queued(3, RED, 1))).isPositive();
        assertThat(aging.order().compare(older, queued(5, RED, 1))).isNegative();
        assertThat(aging.order().compare(older, queued(2, RED, 0))).isNegative();
        assertThat(NO_AGING.order().compare(older, queued(1_000_000, RED, 1))).isPositive();
    }

    /** At each position of the order, the project with the fewest earlier runs comes next. */
    @Test
    void projectsTakeTurnsWhateverTheirQueueLengths() {
        long seed = Seeds.seed();
        Random random = new Random(seed);
        for (int round = 0; round < 100; round++) {
            List<UUID> projects =
                    IntStream.range(0, 2 + random.nextInt(4))
                            .mapToObj(number -> new UUID(2, number))
                            .toList();
            List<QueuedRun> queue = new ArrayList<>();
            for (int number = 0; number < 200; number++) {
                queue.add(
                        queued(
                                number,
                                projects.get(random.nextInt(projects.size())),
                                random.nextInt(201) - 100));
            }

            List<QueuedRun> order = new FairShare(Map.of(), NO_AGING, _ -> 1).order(queue);

            assertThat(order).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(queue);
            assertSharesAreEqual(seed, order);
            assertPrioritiesDescend(seed, order);
        }
    }

    private static void assertSharesAreEqual(long seed, List<QueuedRun> order) {
        Map<UUID, Integer> left = new HashMap<>();
        order.forEach(run -> left.merge(run.project(), 1, Integer::sum));
        Map<UUID, Integer> had = new HashMap<>();
        for (QueuedRun run : order) {
            int fewest =
                    left.keySet().stream()
                            .filter(project -> left.getOrDefault(project, 0) > 0)
                            .mapToInt(project -> had.getOrDefault(project, 0))
                            .min()
                            .orElseThrow();
            assertThat(had.getOrDefault(run.project(), 0)).as("seed %d", seed).isEqualTo(fewest);
            had.merge(run.project(), 1, Integer::sum);
            left.merge(run.project(), -1, Integer::sum);
        }
    }

    private static void assertPrioritiesDescend(long seed, List<QueuedRun> order) {
        Map<UUID, List<QueuedRun>> byProject = new HashMap<>();
        order.forEach(
                run -> byProject.computeIfAbsent(run.project(), _ -> new ArrayList<>()).add(run));
        assertThat(byProject.values())
                .as("seed %d", seed)
                .allSatisfy(runs ->
                        assertThat(runs)
                                .isSortedAccordingTo(
                                        Comparator.comparingInt(QueuedRun::priority)
                                                .reversed()
                                                .thenComparing(QueuedRun::queuedAt)));
    }
}
