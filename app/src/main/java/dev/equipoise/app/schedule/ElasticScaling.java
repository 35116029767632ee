package dev.equipoise.app.schedule;

import dev.equipoise.app.account.Quotas;
import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.dispatch.Assignments;
import dev.equipoise.app.run.RunQueue;
import dev.equipoise.app.run.RunQueue.Elastic;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.app.worker.WorkerState;
import dev.equipoise.app.worker.Workers;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.WorkerId;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import org.springframework.stereotype.Component;

/**
 * Gives unclaimed idle workers to elastic runs that have lost replicas, and releases drained
 * workers from them. The agents of such a run first stop after an epoch; the reconfiguration then
 * changes the workers.
 */
@Component
class ElasticScaling {

    private final Workers workers;
    private final RunQueue queue;
    private final Assignments assignments;
    private final Quotas quotas;

    ElasticScaling(Workers workers, RunQueue queue, Assignments assignments, Quotas quotas) {
        this.workers = workers;
        this.queue = queue;
        this.assignments = assignments;
        this.quotas = quotas;
    }

    /**
     * A change of whether the agents of a run stop after an epoch, so that its workers can change.
     */
    record Request(RunId run, boolean isWanted) {}

    /**
     * Decides which runs stop after an epoch as their workers may change, and which no longer.
     *
     * @param unclaimed the idle workers that no queued run claims
     */
    List<Request> requests(Set<WorkerId> unclaimed) {
        List<Elastic> elastic = queue.elastic();
        if (elastic.isEmpty()) {
            return List.of();
        }
        List<LabWorker> live = workers.live();
        return elastic.stream()
                .filter(run -> mayChange(run, live, unclaimed) != run.isAsked())
                .map(run -> new Request(run.id(), !run.isAsked()))
                .toList();
    }

    private boolean mayChange(Elastic run, List<LabWorker> live, Set<WorkerId> unclaimed) {
        return !change(
                        run.project(),
                        run.configuration(),
                        run.workers(),
                        live,
                        _ -> true,
                        it -> unclaimed.contains(it.id()))
                .isNone();
    }

    /**
     * The change of workers of a run whose ranks are suspended.
     *
     * @param mayLeave whether a drained worker may leave
     * @param mayJoin whether an idle worker may join
     */
    WorkerChange change(
            UUID project,
            RunConfiguration configuration,
            List<WorkerId> present,
            Predicate<WorkerId> mayLeave,
            Predicate<LabWorker> mayJoin) {
        return change(project, configuration, present, workers.live(), mayLeave, mayJoin);
    }

    private WorkerChange change(
            UUID project,
            RunConfiguration configuration,
            List<WorkerId> present,
            List<LabWorker> live,
            Predicate<WorkerId> mayLeave,
            Predicate<LabWorker> mayJoin) {
        return WorkerChange.of(
                configuration,
                present,
                live,
                unusedQuota(project),
                mayLeave,
                it -> isIdle(it) && mayJoin.test(it));
    }

    private static boolean isIdle(LabWorker worker) {
        return worker.state() == WorkerState.IDLE && worker.coolingUntil() == null;
    }

    private int unusedQuota(UUID project) {
        Integer limit = quotas.of(project).replicasAtOnce();
        return limit == null ? Integer.MAX_VALUE : Math.max(0, limit - assignments.heldBy(project));
    }
}
