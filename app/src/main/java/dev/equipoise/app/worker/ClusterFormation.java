package dev.equipoise.app.worker;

import dev.equipoise.protocol.WorkerId;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Decides which agents rejoin, so that all form one Hazelcast cluster. The reference is the oldest
 * worker that another worker sees. A worker that does not see the reference has formed a second
 * cluster (a split brain, possible when two agents start at once) and joins again. A worker with an
 * unreachable address is never the reference, so that it blocks nobody.
 */
final class ClusterFormation {

    private ClusterFormation() {}

    /** Cluster addresses of the other live workers, at which {@code worker} joins; oldest first. */
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

    /** All pairs of workers of which the first does not see the second. */
    static List<UnreachablePeer> gaps(Collection<LabWorker> workers) {
        return workers.stream()
                .flatMap(worker ->
                        workers.stream()
                                .filter(other -> !worker.sees().contains(other.id()))
                                .map(other -> new UnreachablePeer(worker, other)))
                .toList();
    }

    /** The workers that at least one other of them sees, in the given order. */
    static List<LabWorker> seen(Collection<LabWorker> workers) {
        return seenAmong(workers).toList();
    }

    private static Stream<LabWorker> seenAmong(Collection<LabWorker> workers) {
        return workers.stream()
                .filter(worker ->
                        workers.stream()
                                .filter(other -> !other.id().equals(worker.id()))
                                .anyMatch(other -> other.sees().contains(worker.id())));
    }

    /** The oldest seen worker; if none is seen, the oldest, on which all workers agree. */
    private static Optional<LabWorker> eldest(List<LabWorker> liveOldestFirst) {
        List<LabWorker> heard =
                liveOldestFirst.stream()
                        .filter(worker -> worker.state() != WorkerState.JOINING)
                        .toList();
        return seenAmong(heard).findFirst().or(() -> heard.stream().findFirst());
    }
}
