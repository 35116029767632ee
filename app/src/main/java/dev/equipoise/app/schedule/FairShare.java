package dev.equipoise.app.schedule;

import dev.equipoise.app.queue.QueuedRun;
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
 * Orders the queue by fair share (Kay and Lauder 1988). The next run belongs to the project with
 * the least usage, counted as if all runs before it had run already, so that no project waits
 * behind all runs of another. Inside a project, priority aging orders the runs, oldest first among
 * equals.
 *
 * @param used worker-seconds by project; 0 for absent projects
 * @param aging orders the runs of one project
 * @param cost expected worker-seconds of a run, more than 0
 */
record FairShare(Map<UUID, Double> used, PriorityAging aging, ToDoubleFunction<QueuedRun> cost) {

    /** Assumed runtime of a run without an estimate. */
    static final Duration DEFAULT_RUNTIME = Duration.ofMinutes(10);

    private static final double MILLIS = 1000;

    FairShare {
        used = Map.copyOf(used);
    }

    /** The queued runs of a project, and its usage after all runs that are ordered before them. */
    private record ProjectQueue(UUID project, double used, Deque<QueuedRun> runs) {

        private static final Comparator<ProjectQueue> LEAST_USED_FIRST =
                Comparator.comparingDouble(ProjectQueue::used)
                        .thenComparing(ProjectQueue::since)
                        .thenComparing(ProjectQueue::project);

        Instant since() {
            return runs.getFirst().queuedAt();
        }

        ProjectQueue charged(double workerSeconds) {
            return new ProjectQueue(project, used + workerSeconds, runs);
        }
    }

    /** The wanted workers times the estimated or assumed runtime. */
    static double expectedWorkerSeconds(QueuedRun run) {
        Duration length = Objects.requireNonNullElse(run.length(), DEFAULT_RUNTIME);
        return run.configuration().workersWanted() * (length.toMillis() / MILLIS);
    }

    /**
     * Orders the queue.
     *
     * @param queue oldest first
     */
    List<QueuedRun> order(List<QueuedRun> queue) {
        Queue<ProjectQueue> projects = new PriorityQueue<>(ProjectQueue.LEAST_USED_FIRST);
        byProject(queue).forEach((project, runs) -> projects.add(projectQueue(project, runs)));
        List<QueuedRun> order = new ArrayList<>(queue.size());
        while (!projects.isEmpty()) {
            ProjectQueue next = projects.remove();
            QueuedRun run = next.runs().removeFirst();
            order.add(run);
            if (!next.runs().isEmpty()) {
                projects.add(next.charged(cost.applyAsDouble(run)));
            }
        }
        return List.copyOf(order);
    }

    private static Map<UUID, List<QueuedRun>> byProject(List<QueuedRun> queue) {
        return queue.stream()
                .collect(
                        Collectors.groupingBy(
                                QueuedRun::project, LinkedHashMap::new, Collectors.toList()));
    }

    private ProjectQueue projectQueue(UUID project, List<QueuedRun> runs) {
        return new ProjectQueue(
                project,
                used.getOrDefault(project, 0.0),
                runs.stream()
                        .sorted(aging.order())
                        .collect(Collectors.toCollection(ArrayDeque::new)));
    }
}
