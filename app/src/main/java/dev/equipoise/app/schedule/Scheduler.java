package dev.equipoise.app.schedule;

import dev.equipoise.app.profile.ProfileState;
import dev.equipoise.app.profile.Profiles;
import dev.equipoise.app.run.RunLifecycle;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.app.worker.WorkerState;
import dev.equipoise.app.worker.Workers;
import dev.equipoise.protocol.WorkerId;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/**
 * Gives waiting work to idle workers: profiles first, then runs in the order of the queue.
 *
 * <p>A pass decides on what it read at its beginning, however long the queue is; a transaction is
 * opened only for what changes, and looks again at what it changes.
 */
@Component
class Scheduler {

    private final Workers workers;
    private final Profiles profiles;
    private final RunLifecycle runs;
    private final Assignments assignments;

    Scheduler(Workers workers, Profiles profiles, RunLifecycle runs, Assignments assignments) {
        this.workers = workers;
        this.profiles = profiles;
        this.runs = runs;
        this.assignments = assignments;
    }

    /**
     * Goes over all work that waits, once.
     *
     * @return whether anything was offered
     */
    boolean pass() {
        List<LabWorker> live = workers.live();
        Set<WorkerId> free =
                live.stream()
                        .filter(worker -> worker.state() == WorkerState.IDLE)
                        .map(LabWorker::id)
                        .collect(Collectors.toSet());
        List<Profiles.UnderWay> underWay = profiles.underWay();
        Set<WorkerId> beingProfiled =
                underWay.stream().map(Profiles.UnderWay::worker).collect(Collectors.toSet());
        boolean profiling = offerProfiles(underWay, free);
        boolean training =
                new QueuePass(live, free, beingProfiled, profiles, runs, assignments)
                        .over(runs.queued());
        return profiling || training;
    }

    private boolean offerProfiles(List<Profiles.UnderWay> underWay, Set<WorkerId> free) {
        boolean offered = false;
        for (Profiles.UnderWay profile : underWay) {
            if (profile.state() == ProfileState.PENDING && free.remove(profile.worker())) {
                offered |=
                        Attempt.at(() -> assignments.offerProfile(profile.id(), profile.worker()));
            }
        }
        return offered;
    }
}
