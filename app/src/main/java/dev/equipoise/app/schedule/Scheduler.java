package dev.equipoise.app.schedule;

import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.app.partition.Partitioner;
import dev.equipoise.app.partition.SpeedFunction;
import dev.equipoise.app.profile.Profiles;
import dev.equipoise.app.run.RunLifecycle;
import dev.equipoise.app.run.RunLifecycle.Queued;
import dev.equipoise.app.run.Seat;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.app.worker.WorkerState;
import dev.equipoise.app.worker.Workers;
import dev.equipoise.protocol.Kernel;
import dev.equipoise.protocol.MeasuredPoint;
import dev.equipoise.protocol.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** Gives waiting work to idle workers: profiles first, then runs in the order of the queue. */
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

    @Transactional
    void offerProfiles() {
        for (Profiles.Pending pending : profiles.pending()) {
            if (workers.find(pending.worker()).state() == WorkerState.IDLE) {
                assignments.offerProfile(pending.id(), pending.worker());
            }
        }
    }

    /**
     * Each run in a transaction of its own, so that one does not hold up the others.
     *
     * @param free the workers that were idle when the round over the queue began: one that became
     *     idle since is for the head of the queue, which has had its turn
     */
    @Transactional
    void schedule(Queued run, Set<WorkerId> free) {
        Kernel.TrainingStep kernel = kernel(run.configuration());
        Placement.Decision decision =
                Placement.decide(
                        run.configuration(),
                        workers.live(),
                        worker -> free.contains(worker.id()),
                        worker -> !profiles.newest(worker.id(), kernel).isEmpty(),
                        workers::seeOneAnother);
        switch (decision) {
            case Placement.Decision.Wait wait -> runs.waitFor(run.id(), wait.reason());
            case Placement.Decision.Profile missing -> {
                missing.workers().forEach(worker -> profiles.require(worker.id(), kernel));
                runs.waitFor(run.id(), missing.reason());
            }
            case Placement.Decision.Place place -> place(run, place.workers(), kernel);
        }
    }

    private void place(Queued run, List<LabWorker> chosen, Kernel.TrainingStep kernel) {
        List<Seat> seats = seats(run.configuration(), chosen, kernel);
        int generation = runs.place(run.id(), seats);
        assignments.offerRun(run.id(), generation, seats.stream().map(Seat::worker).toList());
    }

    private List<Seat> seats(
            RunConfiguration configuration, List<LabWorker> chosen, Kernel.TrainingStep kernel) {
        List<@Nullable SpeedFunction> speeds = new ArrayList<>();
        chosen.forEach(worker -> speeds.add(speed(worker, kernel)));
        List<Integer> shares = shares(configuration, speeds);
        List<Seat> seats = new ArrayList<>();
        for (int rank = 0; rank < chosen.size(); rank++) {
            LabWorker worker = chosen.get(rank);
            SpeedFunction speed = speeds.get(rank);
            double batch = shares.get(rank) / (double) configuration.rounds();
            seats.add(
                    new Seat(
                            worker.id(),
                            worker.name(),
                            shares.get(rank),
                            speed == null ? null : speed.seconds(batch)));
        }
        return seats;
    }

    /** Without every speed function only equal shares are possible, and only they get here. */
    private static List<Integer> shares(
            RunConfiguration configuration, List<@Nullable SpeedFunction> speeds) {
        List<SpeedFunction> known = new ArrayList<>();
        for (SpeedFunction speed : speeds) {
            if (speed != null) {
                known.add(speed);
            }
        }
        int samples = configuration.dataset().limit();
        return known.size() == speeds.size()
                ? Partitioner.shares(
                        configuration.partitioning(), samples, configuration.rounds(), known)
                : Partitioner.equal(samples, speeds.size());
    }

    private @Nullable SpeedFunction speed(LabWorker worker, Kernel.TrainingStep kernel) {
        List<MeasuredPoint> points = profiles.newest(worker.id(), kernel);
        return points.isEmpty()
                ? null
                : SpeedFunction.piecewise(
                        points.stream()
                                .map(it -> new SpeedFunction.Point(it.size(), it.meanSeconds()))
                                .toList());
    }

    private static Kernel.TrainingStep kernel(RunConfiguration configuration) {
        return new Kernel.TrainingStep(configuration.network().preset());
    }
}
