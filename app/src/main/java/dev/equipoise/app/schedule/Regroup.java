package dev.equipoise.app.schedule;

import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.app.plan.Seating;
import dev.equipoise.app.profile.Profiles;
import dev.equipoise.app.profile.SpeedCurves;
import dev.equipoise.app.run.RunStandsStill;
import dev.equipoise.app.run.Seat;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.app.worker.Workers;
import dev.equipoise.performance.partition.Partitioner;
import java.util.List;
import java.util.Optional;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionalEventListener;

/**
 * Gives the ranks of a run that has lost others their new shares, at once and without the queue.
 */
@Component
class Regroup {

    private final Workers workers;
    private final SpeedCurves curves;
    private final Profiles profiles;
    private final Assignments assignments;
    private final Bell bell;

    Regroup(
            Workers workers,
            SpeedCurves curves,
            Profiles profiles,
            Assignments assignments,
            Bell bell) {
        this.workers = workers;
        this.curves = curves;
        this.profiles = profiles;
        this.assignments = assignments;
        this.bell = bell;
    }

    @EventListener
    @Transactional
    void on(RunStandsStill still) {
        assignments.regroup(still, seats(still));
    }

    /** Once that is certain, nobody waits for it any longer. */
    @TransactionalEventListener
    void call(RunStandsStill still) {
        bell.ring(still.left().stream().map(RunStandsStill.Left::worker).toList());
    }

    private List<Seat> seats(RunStandsStill still) {
        RunConfiguration configuration = still.configuration();
        List<LabWorker> left = still.left().stream().map(it -> workers.find(it.worker())).toList();
        var known = new KnownSpeeds(configuration, left, new Speeds(curves, profiles));
        var seating =
                new Seating(
                        configuration,
                        still.left().stream().map(RunStandsStill.Left::place).toList(),
                        left,
                        known::of,
                        known.missing().isEmpty() ? Optional.empty() : Optional.of(shares(still)));
        return known.explained(seating.seats());
    }

    /** As they were to one another, where nobody knows how fast they are without the others. */
    private static List<Integer> shares(RunStandsStill still) {
        return Partitioner.inProportion(
                still.configuration().dataset().limit(),
                still.left().stream().map(RunStandsStill.Left::share).toList());
    }
}
