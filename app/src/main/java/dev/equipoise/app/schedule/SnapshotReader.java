package dev.equipoise.app.schedule;

import dev.equipoise.app.account.Quotas;
import dev.equipoise.app.dispatch.Assignments;
import dev.equipoise.app.dispatch.Usage;
import dev.equipoise.app.measurement.Measurements;
import dev.equipoise.app.measurement.OpenSession;
import dev.equipoise.app.queue.QueuedRun;
import dev.equipoise.app.run.RunQueue;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.app.worker.Workers;
import dev.equipoise.protocol.WorkerId;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/** Reads what a scheduling pass decides on. */
@Component
class SnapshotReader {

    private final Workers workers;
    private final Measurements measurements;
    private final RunQueue queue;
    private final Assignments assignments;
    private final Usage usage;
    private final Quotas quotas;
    private final Clock clock;

    SnapshotReader(
            Workers workers,
            Measurements measurements,
            RunQueue queue,
            Assignments assignments,
            Usage usage,
            Quotas quotas,
            Clock clock) {
        this.workers = workers;
        this.measurements = measurements;
        this.queue = queue;
        this.assignments = assignments;
        this.usage = usage;
        this.quotas = quotas;
        this.clock = clock;
    }

    /**
     * The work that waits for workers.
     *
     * @param sessions unfinished measurement sessions, in the order in which they are offered
     * @param queued queued runs, oldest first
     */
    record OpenWork(List<OpenSession> sessions, List<QueuedRun> queued) {

        OpenWork {
            sessions = List.copyOf(sessions);
            queued = List.copyOf(queued);
        }

        boolean isNone() {
            return sessions.isEmpty() && queued.isEmpty();
        }
    }

    OpenWork work() {
        return new OpenWork(measurements.open(), queue.queued());
    }

    /** The lab's workers, oldest first. */
    List<LabWorker> live() {
        return workers.live();
    }

    /**
     * The workers of open sessions without those whose last work was a measurement. The latter
     * serve runs first, so that no run waits for all pending measurements.
     */
    Set<WorkerId> rested(List<OpenSession> sessions) {
        Set<WorkerId> measuring =
                sessions.stream().flatMap(it -> it.workers().stream()).collect(Collectors.toSet());
        measuring.removeAll(assignments.measuredLast(measuring));
        return measuring;
    }

    /** The work of all workers; reads nothing if the queue is empty. */
    ClusterSnapshot cluster(OpenWork work) {
        return work.queued().isEmpty()
                ? ClusterSnapshot.of(List.of(), List.of(), clock.instant())
                : ClusterSnapshot.of(assignments.atWork(), queue.underWay(), clock.instant());
    }

    /** The usage of each project, in worker-seconds; reads nothing if the queue is empty. */
    Map<UUID, Double> used(OpenWork work, ClusterSnapshot cluster) {
        return work.queued().isEmpty() ? Map.of() : usage.byProject(cluster.held());
    }

    /** The quotas of projects, which are read as they are asked for. */
    QuotaTracker quotas(ClusterSnapshot cluster) {
        return new QuotaTracker(
                quotas::of, usage::week, cluster.held(), cluster.availability().now());
    }
}
