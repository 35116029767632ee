package dev.equipoise.app.schedule;

import dev.equipoise.app.experiment.RunConfiguration;
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
 * Whom a run with a minimum of replicas lets go, and whom it takes in, where its ranks stand still.
 *
 * @param leaving those of its workers that are drained, as many as it can do without
 * @param joining those that take the places that are free then
 */
record CrewChange(List<WorkerId> leaving, List<LabWorker> joining) {

    CrewChange {
        leaving = List.copyOf(leaving);
        joining = List.copyOf(joining);
    }

    boolean isNone() {
        return leaving.isEmpty() && joining.isEmpty();
    }

    /**
     * Decides. Servers have what nobody else has, and stay.
     *
     * @param present the workers of the run, in the order of its ranks
     * @param room how many more its project may have
     * @param mayLeave asked of one that is drained
     * @param mayJoin asked of one that fits and is seen by all, and joins where it may
     */
    static CrewChange of(
            RunConfiguration configuration,
            List<WorkerId> present,
            List<LabWorker> live,
            int room,
            Predicate<WorkerId> mayLeave,
            Predicate<LabWorker> mayJoin) {
        int servers = configuration.topology().servers();
        Set<WorkerId> drained =
                live.stream()
                        .filter(it -> it.cordon() == Cordon.DRAINED)
                        .map(LabWorker::id)
                        .collect(Collectors.toSet());
        List<WorkerId> toGo =
                present.stream().skip(servers).filter(drained::contains).filter(mayLeave).toList();
        int free = configuration.ranks() - present.size() + toGo.size();
        List<LabWorker> joining =
                joining(configuration, present, live, Math.min(free, room), mayJoin);
        int fewest = configuration.workers().minimum() + servers;
        int spare = Math.max(0, present.size() + joining.size() - fewest);
        return new CrewChange(toGo.stream().limit(spare).toList(), joining);
    }

    private static List<LabWorker> joining(
            RunConfiguration configuration,
            List<WorkerId> present,
            List<LabWorker> live,
            int most,
            Predicate<LabWorker> mayJoin) {
        List<LabWorker> together =
                new ArrayList<>(live.stream().filter(it -> present.contains(it.id())).toList());
        List<LabWorker> found = new ArrayList<>();
        for (LabWorker each : Placement.fitting(configuration, live)) {
            if (found.size() < most) {
                together.add(each);
                if (Workers.gaps(together).isEmpty() && mayJoin.test(each)) {
                    found.add(each);
                } else {
                    together.removeLast();
                }
            }
        }
        return found;
    }
}
