package dev.equipoise.app.schedule;

import dev.equipoise.app.run.RunQueue.Queued;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.UUID;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * The order of the queue. The next run is always one of the project that has used least, counted as
 * if the runs before it had run already, so that none goes without for long, however many runs the
 * others have. Inside a project the higher priority goes first, as far as none waits for ever for
 * that, and of the same the older run.
 *
 * @param used worker-seconds by project; one that is not there has used nothing
 * @param ageing of the runs of one project
 * @param cost worker-seconds that a run is expected to use, more than 0
 */
record FairShare(Map<UUID, Double> used, Ageing ageing, ToDoubleFunction<Queued> cost) {

    /** What a run is taken to last, of which nothing is known. */
    static final Duration UNKNOWN_LENGTH = Duration.ofMinutes(10);

    private static final double MILLIS = 1000;

    FairShare {
        used = Map.copyOf(used);
    }

    /** The runs of a project, and what it will have used when those before them are over. */
    private record Line(UUID project, double used, Deque<Queued> runs) {

        private static final Comparator<Line> LEAST_USED_FIRST =
                Comparator.comparingDouble(Line::used)
                        .thenComparing(Line::since)
                        .thenComparing(Line::project);

        Instant since() {
            return runs.getFirst().queuedAt();
        }
    }

    /** By what runs like it took, and else by the guess. */
    static double expectedWorkerSeconds(Queued run) {
        Duration length = Objects.requireNonNullElse(run.length(), UNKNOWN_LENGTH);
        return run.configuration().workersWanted() * (length.toMillis() / MILLIS);
    }

    /**
     * Orders the queue.
     *
     * @param queue oldest first
     */
    List<Queued> order(List<Queued> queue) {
        Queue<Line> lines = new PriorityQueue<>(Line.LEAST_USED_FIRST);
        byProject(queue).forEach((project, runs) -> lines.add(line(project, runs)));
        List<Queued> order = new ArrayList<>(queue.size());
        while (!lines.isEmpty()) {
            Line next = lines.remove();
            Queued run = next.runs().removeFirst();
            order.add(run);
            if (!next.runs().isEmpty()) {
                lines.add(
                        new Line(
                                next.project(),
                                next.used() + cost.applyAsDouble(run),
                                next.runs()));
            }
        }
        return List.copyOf(order);
    }

    private static Map<UUID, List<Queued>> byProject(List<Queued> queue) {
        return queue.stream()
                .collect(
                        Collectors.groupingBy(
                                Queued::project, LinkedHashMap::new, Collectors.toList()));
    }

    private Line line(UUID project, List<Queued> runs) {
        return new Line(
                project,
                used.getOrDefault(project, 0.0),
                runs.stream()
                        .sorted(ageing.order())
                        .collect(Collectors.toCollection(ArrayDeque::new)));
    }
}
