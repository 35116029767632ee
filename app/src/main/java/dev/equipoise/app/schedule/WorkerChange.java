package dev.equipoise.app.schedule;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.worker.Cordon;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.app.worker.Workers;
import dev.equipoise.protocol.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The change of workers of an elastic run at a reconfiguration.
 *
 * @param leaving drained workers that the run releases without falling below its minimum
 * @param joining idle workers that take the free places
 */
record WorkerChange(List<WorkerId> leaving, List<LabWorker> joining) {

    WorkerChange {
        leaving = List.copyOf(leaving);
        joining = List.copyOf(joining);
    }

    boolean isNone() {
        return leaving.isEmpty() && joining.isEmpty();
    }

    /**
     * Decides the change. Parameter servers never leave, as no other rank has their state. One
     * replica stays, from which the joining ones take weights and shares; it may leave at the next
     * reconfiguration.
     *
     * @param present the workers of the run, in the order of its ranks
     * @param unusedQuota number of workers that the project may still get
     * @param mayLeave whether a drained worker may leave
     * @param mayJoin whether an eligible worker that all others see and reach may join; if so, it
     *     joins
     */
    static WorkerChange of(
            RunConfiguration configuration,
            List<WorkerId> present,
            List<LabWorker> live,
            int unusedQuota,
            Predicate<WorkerId> mayLeave,
            Predicate<LabWorker> mayJoin) {
        int servers = configuration.topology().servers();
        Set<WorkerId> drained =
                live.stream()
                        .filter(it -> it.cordon() == Cordon.DRAINED)
                        .map(LabWorker::id)
                        .collect(Collectors.toSet());
        List<WorkerId> releasable =
                present.stream()
                        .skip(servers)
                        .filter(drained::contains)
                        .filter(mayLeave)
                        .limit(Math.max(0, present.size() - servers - 1))
                        .toList();
        int free = configuration.ranks() - present.size() + releasable.size();
        List<LabWorker> joining =
                joining(configuration, present, live, Math.min(free, unusedQuota), mayJoin);
        int minimum = configuration.workers().minimum() + servers;
        int surplus = Math.max(0, present.size() + joining.size() - minimum);
        return new WorkerChange(releasable.stream().limit(surplus).toList(), joining);
    }

    private static List<LabWorker> joining(
            RunConfiguration configuration,
            List<WorkerId> present,
            List<LabWorker> live,
            int limit,
            Predicate<LabWorker> mayJoin) {
        List<LabWorker> together =
                new ArrayList<>(live.stream().filter(it -> present.contains(it.id())).toList());
        List<LabWorker> found = new ArrayList<>();
        for (LabWorker each : Feasibility.eligible(configuration, live)) {
            if (found.size() < limit) {
                together.add(each);
                if (isReachable(each, together, live) && mayJoin.test(each)) {
                    found.add(each);
                } else {
                    together.removeLast();
                }
            }
        }
        return found;
    }

    private static boolean isReachable(
            LabWorker worker, List<LabWorker> together, List<LabWorker> live) {
        return Workers.gaps(together).isEmpty()
                && Workers.reachabilityFailures(together, live).stream()
                        .noneMatch(it -> it.isOf(worker.id()));
    }
}
