package dev.equipoise.app.worker;

import dev.equipoise.protocol.WorkerId;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How the agents find one cluster. All go by the oldest worker that another one sees: who does not
 * see it has formed a cluster aside, as two that start at once may, and joins again. One that
 * nobody reaches, as its address is of no use elsewhere, thus keeps nobody from joining the others.
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

    /** Who of the workers does not see whom of them. */
    static List<Gap> gaps(Collection<LabWorker> workers) {
        return workers.stream()
                .flatMap(worker ->
                        workers.stream()
                                .filter(other -> !worker.sees().contains(other.id()))
                                .map(other -> new Gap(worker, other)))
                .toList();
    }

    /** Those of the workers that another one of them sees, in their order. */
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

    /** Of workers none of which is seen the oldest is as good as any, as long as it is one. */
    private static Optional<LabWorker> eldest(List<LabWorker> liveOldestFirst) {
        List<LabWorker> heard =
                liveOldestFirst.stream()
                        .filter(worker -> worker.state() != WorkerState.JOINING)
                        .toList();
        return seenAmong(heard).findFirst().or(() -> heard.stream().findFirst());
    }
}
