package dev.equipoise.app.worker;

import dev.equipoise.protocol.WorkerId;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * How the agents find one cluster. All go by the oldest worker that has spoken since it joined: who
 * does not see it has formed a cluster aside, as two that start at once may, and joins again.
 */
final class LabCluster {

    private LabCluster() {}

    /** Addresses at which to join, oldest first. */
    static List<String> membersFor(WorkerId worker, List<LabWorker> liveOldestFirst) {
        return liveOldestFirst.stream()
                .filter(other -> !other.id().equals(worker))
                .map(LabWorker::clusterAddress)
                .toList();
    }

    static boolean mustRejoin(LabWorker worker, List<LabWorker> liveOldestFirst) {
        return worker.state() == WorkerState.IDLE
                && eldest(liveOldestFirst)
                        .filter(eldest -> !eldest.id().equals(worker.id()))
                        .filter(eldest -> !worker.sees().contains(eldest.id()))
                        .isPresent();
    }

    /** Whether each of the workers sees all of them. */
    static boolean isWhole(Collection<LabWorker> workers) {
        List<WorkerId> ids = workers.stream().map(LabWorker::id).toList();
        return workers.stream().allMatch(worker -> worker.sees().containsAll(ids));
    }

    private static Optional<LabWorker> eldest(List<LabWorker> liveOldestFirst) {
        return liveOldestFirst.stream()
                .filter(worker -> worker.state() != WorkerState.JOINING)
                .findFirst();
    }
}
