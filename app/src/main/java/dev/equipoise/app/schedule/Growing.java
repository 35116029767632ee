package dev.equipoise.app.schedule;

import dev.equipoise.app.account.Quotas;
import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.app.run.RunLifecycle;
import dev.equipoise.app.run.RunQueue;
import dev.equipoise.app.run.RunQueue.Elastic;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.app.worker.WorkerState;
import dev.equipoise.app.worker.Workers;
import dev.equipoise.protocol.WorkerId;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import org.springframework.stereotype.Component;

/**
 * Gives workers to runs that have lost some, when nobody who waits wants these, and takes those
 * from them that are drained: first their agents are asked to stand still after an epoch, then the
 * crew changes.
 */
@Component
class Growing {

    private final Workers workers;
    private final RunQueue queue;
    private final RunLifecycle runs;
    private final Assignments assignments;
    private final Quotas quotas;

    Growing(
            Workers workers,
            RunQueue queue,
            RunLifecycle runs,
            Assignments assignments,
            Quotas quotas) {
        this.workers = workers;
        this.queue = queue;
        this.runs = runs;
        this.assignments = assignments;
        this.quotas = quotas;
    }

    /**
     * Asks those runs to stand still whose crew may change, and others that were asked no more.
     *
     * @param left the idle workers that are kept for nobody
     */
    void ask(Set<WorkerId> left) {
        List<Elastic> elastic = queue.elastic();
        if (elastic.isEmpty()) {
            return;
        }
        List<LabWorker> live = workers.live();
        for (Elastic run : elastic) {
            boolean mayChange =
                    !change(
                                    run.project(),
                                    run.configuration(),
                                    run.workers(),
                                    live,
                                    _ -> true,
                                    it -> left.contains(it.id()))
                            .isNone();
            if (mayChange != run.isAsked()) {
                Attempt.run(() -> runs.wantRegroup(run.id(), mayChange));
            }
        }
    }

    /**
     * How the crew of a run changes where its ranks stand still now.
     *
     * @param mayLeave asked of one that is drained
     * @param mayJoin asked of one that is idle
     */
    CrewChange change(
            UUID project,
            RunConfiguration configuration,
            List<WorkerId> present,
            Predicate<WorkerId> mayLeave,
            Predicate<LabWorker> mayJoin) {
        return change(project, configuration, present, workers.live(), mayLeave, mayJoin);
    }

    private CrewChange change(
            UUID project,
            RunConfiguration configuration,
            List<WorkerId> present,
            List<LabWorker> live,
            Predicate<WorkerId> mayLeave,
            Predicate<LabWorker> mayJoin) {
        return CrewChange.of(
                configuration,
                present,
                live,
                room(project),
                mayLeave,
                it -> isIdle(it) && mayJoin.test(it));
    }

    private static boolean isIdle(LabWorker worker) {
        return worker.state() == WorkerState.IDLE && worker.coolingUntil() == null;
    }

    private int room(UUID project) {
        Integer most = quotas.of(project).replicasAtOnce();
        return most == null ? Integer.MAX_VALUE : Math.max(0, most - assignments.heldBy(project));
    }
}
