package dev.equipoise.app.schedule;

import dev.equipoise.app.account.Quotas;
import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.app.run.RunLifecycle;
import dev.equipoise.app.run.RunQueue;
import dev.equipoise.app.run.RunQueue.Shrunk;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.app.worker.WorkerState;
import dev.equipoise.app.worker.Workers;
import dev.equipoise.protocol.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.springframework.stereotype.Component;

/**
 * Gives workers to runs that have lost some, when nobody who waits wants these: first their agents
 * are asked to stand still after an epoch, then newcomers join.
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
     * Asks those runs that may grow to stand still, and others that were asked no more.
     *
     * @param left the idle workers that are kept for nobody
     */
    void ask(Set<WorkerId> left) {
        List<Shrunk> shrunk = queue.shrunk();
        if (shrunk.isEmpty()) {
            return;
        }
        for (Shrunk run : shrunk) {
            boolean mayGrow =
                    newcomers(run.project(), run.configuration(), run.workers()).stream()
                            .map(LabWorker::id)
                            .anyMatch(left::contains);
            if (mayGrow != run.isAsked()) {
                Attempt.run(() -> runs.wantRegroup(run.id(), mayGrow));
            }
        }
    }

    /**
     * Who may join the workers of a run: idle, fitting, and seen by all; as many as it lacks and
     * its project may have.
     */
    List<LabWorker> newcomers(
            UUID project, RunConfiguration configuration, List<WorkerId> present) {
        List<LabWorker> live = workers.live();
        List<LabWorker> together =
                new ArrayList<>(
                        live.stream().filter(worker -> present.contains(worker.id())).toList());
        List<LabWorker> found = new ArrayList<>();
        int lacking = Math.min(configuration.ranks() - present.size(), left(project));
        for (LabWorker each : Placement.fitting(configuration, live)) {
            if (found.size() < lacking && isIdle(each)) {
                together.add(each);
                if (Workers.gaps(together).isEmpty()) {
                    found.add(each);
                } else {
                    together.removeLast();
                }
            }
        }
        return found;
    }

    private static boolean isIdle(LabWorker worker) {
        return worker.state() == WorkerState.IDLE && worker.coolingUntil() == null;
    }

    private int left(UUID project) {
        Integer most = quotas.of(project).replicasAtOnce();
        return most == null ? Integer.MAX_VALUE : Math.max(0, most - assignments.heldBy(project));
    }
}
