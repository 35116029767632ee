package dev.equipoise.app.schedule;

import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.app.plan.Seating;
import dev.equipoise.app.profile.Profiles;
import dev.equipoise.app.profile.SpeedCurves;
import dev.equipoise.app.run.RunLifecycle;
import dev.equipoise.app.run.RunStandsStill;
import dev.equipoise.app.run.Seat;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.app.worker.Workers;
import dev.equipoise.performance.partition.Partitioner;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionalEventListener;

/** Gives the ranks of a run that stands still their new shares, at once and without the queue. */
@Component
class Regroup {

    private final Workers workers;
    private final SpeedCurves curves;
    private final Profiles profiles;
    private final Growing growing;
    private final RunLifecycle runs;
    private final Assignments assignments;
    private final Bell bell;

    Regroup(
            Workers workers,
            SpeedCurves curves,
            Profiles profiles,
            Growing growing,
            RunLifecycle runs,
            Assignments assignments,
            Bell bell) {
        this.workers = workers;
        this.curves = curves;
        this.profiles = profiles;
        this.growing = growing;
        this.runs = runs;
        this.assignments = assignments;
        this.bell = bell;
    }

    @EventListener
    @Transactional
    void on(RunStandsStill still) {
        CrewChange change =
                growing.change(
                        still.project(),
                        still.configuration(),
                        still.left().stream().map(RunStandsStill.Left::worker).toList(),
                        _ -> still.isHeldByAll(),
                        worker -> still.isAtBeginning() && workers.holdFree(worker.id()));
        RunStandsStill staying = still.without(change.leaving());
        runs.noteLeaving(still.run(), change.leaving());
        List<RunStandsStill.Left> crew = new ArrayList<>(staying.left());
        crew.addAll(newcomers(staying, change.joining()));
        assignments.regroup(
                staying,
                seats(still.configuration(), crew),
                crew.stream().map(RunStandsStill.Left::place).toList());
    }

    /** Once that is certain, nobody waits for it any longer. */
    @TransactionalEventListener
    void call(RunStandsStill still) {
        bell.ring(assignments.offered());
    }

    /** In the places of who was lost, or has been let go. */
    private static List<RunStandsStill.Left> newcomers(
            RunStandsStill still, List<LabWorker> joining) {
        List<Integer> taken = still.left().stream().map(RunStandsStill.Left::place).toList();
        Iterator<Integer> places =
                IntStream.range(0, still.configuration().ranks())
                        .filter(place -> !taken.contains(place))
                        .iterator();
        int share =
                (int)
                        still.left().stream()
                                .skip(still.configuration().topology().servers())
                                .mapToInt(RunStandsStill.Left::share)
                                .average()
                                .orElseThrow();
        return joining.stream()
                .map(worker -> new RunStandsStill.Left(worker.id(), places.next(), share))
                .toList();
    }

    private List<Seat> seats(RunConfiguration configuration, List<RunStandsStill.Left> crew) {
        List<LabWorker> present = crew.stream().map(it -> workers.find(it.worker())).toList();
        List<Integer> places = crew.stream().map(RunStandsStill.Left::place).toList();
        var known = new KnownSpeeds(configuration, places, present, new Speeds(curves, profiles));
        var seating =
                new Seating(
                        configuration,
                        places,
                        present,
                        known::of,
                        known.missing().isEmpty()
                                ? Optional.empty()
                                : Optional.of(shares(configuration, crew)));
        return known.explained(seating.seats());
    }

    /** As they were to one another, where nobody knows how fast they are with those of now. */
    private static List<Integer> shares(
            RunConfiguration configuration, List<RunStandsStill.Left> crew) {
        return Partitioner.inProportion(
                configuration.dataset().limit(),
                crew.stream().map(RunStandsStill.Left::share).toList());
    }
}
