package dev.equipoise.app.schedule;

import dev.equipoise.app.dispatch.Assignments;
import dev.equipoise.app.dispatch.BestEffort;
import dev.equipoise.app.dispatch.SchedulerLease;
import dev.equipoise.app.measurement.OpenSession;
import dev.equipoise.app.queue.QueuedRun;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.app.worker.WorkerState;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.WorkerId;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/**
 * Assigns queued work to idle workers: first profiles, then link measurements, then runs in
 * fair-share order. A worker whose last work was a measurement serves runs first.
 *
 * <p>A pass decides on a snapshot that it reads at its beginning, however long the queue is.
 */
@Component
class Scheduler {

    private final SnapshotReader reader;
    private final MeasurementLookups lookups;
    private final QueueRuntimes runtimes;
    private final DecisionApplier applier;
    private final Assignments assignments;
    private final ElasticScaling scaling;
    private final SchedulerLease lease;
    private final ScheduleSettings settings;

    Scheduler(
            SnapshotReader reader,
            MeasurementLookups lookups,
            QueueRuntimes runtimes,
            DecisionApplier applier,
            Assignments assignments,
            ElasticScaling scaling,
            SchedulerLease lease,
            ScheduleSettings settings) {
        this.reader = reader;
        this.lookups = lookups;
        this.runtimes = runtimes;
        this.applier = applier;
        this.assignments = assignments;
        this.scaling = scaling;
        this.lease = lease;
        this.settings = settings;
    }

    /**
     * Makes one scheduling pass over all queued work.
     *
     * @param token the lease of this pass
     * @return whether any assignment was offered
     */
    boolean pass(SchedulerLease.Token token) {
        SnapshotReader.OpenWork work = reader.work();
        if (work.isNone()) {
            applier.preempt(Set.of(), Optional.empty());
            BestEffort.run(() -> applier.request(scaling.requests(free(reader.live()))));
            return false;
        }
        List<LabWorker> live = reader.live();
        Set<WorkerId> free = free(live);
        Set<WorkerId> rested = reader.rested(work.sessions());
        boolean measuring = offer(work.sessions(), free, rested::containsAll);
        var held = new HeldLease(lease, token);
        Placed placed = place(work, live, Set.copyOf(free), held);
        if (held.isLost()) {
            return measuring || placed.any();
        }
        BestEffort.run(() -> applier.request(scaling.requests(placed.unclaimed())));
        boolean measuringAgain =
                offer(
                        work.sessions(),
                        new HashSet<>(placed.unclaimed()),
                        it -> !rested.containsAll(it));
        return measuring || placed.any() || measuringAgain;
    }

    /**
     * The result of the decisions on all queued runs.
     *
     * @param any whether a run was placed
     * @param unclaimed the idle workers that no queued run claims
     */
    private record Placed(boolean any, Set<WorkerId> unclaimed) {}

    private Placed place(
            SnapshotReader.OpenWork work,
            List<LabWorker> live,
            Set<WorkerId> idle,
            HeldLease held) {
        ClusterSnapshot cluster = reader.cluster(work);
        Map<UUID, Double> used = reader.used(work, cluster);
        PreemptionPolicy preemption = preemption(used, cluster);
        var eligible = new EligibleWorkers(live);
        List<QueuedRun> order = order(runtimes.of(work.queued(), eligible), used);
        runtimes.lookAhead(order, eligible);
        var lab =
                new SchedulingPass.Lab(
                        live,
                        idle,
                        work.sessions(),
                        cluster.availability(),
                        reader.quotas(cluster),
                        blocked -> preemption.obstacle(blocked, cluster.preemptible()));
        var pass = new SchedulingPass(order, lab, eligible, runtimes, lookups.cache());
        boolean any = applier.placeAll(pass, held);
        if (!held.isLost()) {
            preempt(pass.blocked(), preemption, cluster.preemptible());
        }
        Set<WorkerId> unclaimed = new HashSet<>(idle);
        unclaimed.removeAll(pass.claimed());
        return new Placed(any, Set.copyOf(unclaimed));
    }

    private static Set<WorkerId> free(List<LabWorker> live) {
        return live.stream()
                .filter(worker -> worker.state() == WorkerState.IDLE)
                .filter(LabWorker::takesWork)
                .filter(worker -> worker.coolingUntil() == null)
                .map(LabWorker::id)
                .collect(Collectors.toSet());
    }

    /**
     * Offers pending sessions that are due, each of which needs all its workers at once. Reserves
     * the free ones until then.
     */
    private boolean offer(
            List<OpenSession> sessions, Set<WorkerId> free, Predicate<List<WorkerId>> isDue) {
        boolean offered = false;
        for (OpenSession it : sessions) {
            if (it.isPending() && isDue.test(it.workers())) {
                offered |=
                        free.containsAll(it.workers())
                                && BestEffort.call(() -> assignments.offerMeasurement(it));
                it.workers().forEach(free::remove);
            }
        }
        return offered;
    }

    private List<QueuedRun> order(List<QueuedRun> queued, Map<UUID, Double> used) {
        return new FairShare(
                        used,
                        new PriorityAging(settings.ageing()),
                        FairShare::expectedWorkerSeconds)
                .order(queued);
    }

    private PreemptionPolicy preemption(Map<UUID, Double> used, ClusterSnapshot cluster) {
        return new PreemptionPolicy(
                settings.preemptAfter(),
                settings.spareFor(),
                new PriorityAging(settings.ageing()),
                used,
                cluster.availability().now());
    }

    /** Preempts the runs that the policy selects now and cancels all other preemptions. */
    private void preempt(
            Optional<PreemptionPolicy.Blocked> blocked,
            PreemptionPolicy policy,
            List<PreemptionPolicy.Training> preemptible) {
        Set<RunId> chosen =
                blocked.map(it -> policy.runsToPreempt(it, preemptible)).orElse(Set.of());
        applier.preempt(chosen, blocked);
    }
}
