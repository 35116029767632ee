package dev.equipoise.app.dispatch;

import dev.equipoise.app.measurement.MeasurementTask;
import dev.equipoise.app.measurement.Measurements;
import dev.equipoise.app.measurement.MeasurementsFailed;
import dev.equipoise.app.measurement.OpenSession;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.recovery.RunFailure;
import dev.equipoise.app.recovery.SuspendedRun;
import dev.equipoise.app.run.Placements;
import dev.equipoise.app.run.RankAllocation;
import dev.equipoise.app.run.Reconfigurer.NextGeneration;
import dev.equipoise.app.run.RunEnded;
import dev.equipoise.app.run.RunPreempted;
import dev.equipoise.app.run.RunRestarted;
import dev.equipoise.app.worker.HeartbeatGap;
import dev.equipoise.app.worker.WorkerDeparted;
import dev.equipoise.app.worker.Workers;
import dev.equipoise.protocol.AssignmentId;
import dev.equipoise.protocol.FailureCause;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.WorkerId;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * Creates, ends and revokes the assignments of workers. A worker is busy while it has an open
 * assignment. After a revocation it stays busy until it asks for work again, as it may not know of
 * the revocation and still compute.
 */
@Component
public class Assignments {

    private static final int KEY_BYTES = 32;

    /** Codes of failures that do not start a cooldown of the reporting worker. */
    private static final Set<String> BLAMELESS_CODES =
            Set.of("peer-lost", "worker-drained", "checkpoint-unavailable", "model-unavailable");

    private final AssignmentRepository assignments;
    private final Workers workers;
    private final Placements runs;
    private final Measurements measurements;
    private final Usage usage;
    private final SchedulerLease lease;
    private final SecureRandom random;
    private final Clock clock;

    Assignments(
            AssignmentRepository assignments,
            Workers workers,
            Placements runs,
            Measurements measurements,
            Usage usage,
            SchedulerLease lease,
            SecureRandom random,
            Clock clock) {
        this.assignments = assignments;
        this.workers = workers;
        this.runs = runs;
        this.measurements = measurements;
        this.usage = usage;
        this.lease = lease;
        this.random = random;
        this.clock = clock;
    }

    /**
     * Places a run: offers each worker its ranks.
     *
     * @param token the lease of the pass that decided it; guards the decision, quotas included
     * @return false, without effect, if the lease is lost or the run or a worker is no longer free
     */
    @Transactional
    public boolean offerRun(SchedulerLease.Token token, RunOffer offer) {
        if (!lease.renew(token)
                || !runs.claim(offer.run())
                || !offer.workers().allMatch(workers::holdFree)) {
            return false;
        }
        int generation =
                runs.place(
                        offer.run(),
                        offer.allocations(),
                        offer.hybrid(),
                        offer.speeds(),
                        offer.costs());
        byte[] key = newKey();
        Set<WorkerId> assigned = new HashSet<>();
        for (int rank = 0; rank < offer.allocations().size(); rank++) {
            WorkerId worker = offer.allocations().get(rank).worker();
            if (assigned.add(worker)) {
                workers.occupy(worker);
                assignments.save(
                        WorkerAssignment.ofRun(
                                worker, offer.run(), rank, generation, key, clock.instant()));
            }
        }
        if (offer.chosen() != null) {
            runs.choose(offer.run(), offer.chosen());
        }
        return true;
    }

    /**
     * Offers the tasks of a measurement session to its workers.
     *
     * @return false, without effect, if the session or a worker is no longer free
     */
    @Transactional
    public boolean offerMeasurement(OpenSession session) {
        if (!session.workers().stream().allMatch(workers::holdFree)) {
            return false;
        }
        Map<WorkerId, MeasurementTask> tasks = measurements.claim(session);
        byte[] key = newKey();
        tasks.forEach((worker, task) -> {
            workers.occupy(worker);
            assignments.save(WorkerAssignment.ofMeasurement(worker, task, key, clock.instant()));
        });
        return !tasks.isEmpty();
    }

    private byte[] newKey() {
        byte[] key = new byte[KEY_BYTES];
        random.nextBytes(key);
        return key;
    }

    /**
     * Returns an assignment of a worker.
     *
     * @throws Problem {@code not-found}, also for another worker's assignment
     */
    @Transactional(readOnly = true)
    WorkerAssignment find(AssignmentId id, WorkerId worker) {
        return assignments
                .findById(id.value())
                .filter(it -> it.worker().equals(worker))
                .orElseThrow(() -> Problem.notFound("assignment", id));
    }

    @Transactional(readOnly = true)
    Optional<RunId> runOf(AssignmentId id, WorkerId worker) {
        return assignments.findRun(id.value(), worker.value()).map(RunId::of);
    }

    @Transactional(readOnly = true)
    Optional<WorkerAssignment> openOf(WorkerId worker) {
        return assignments.findByWorkerIdAndStateIn(worker.value(), AssignmentState.OPEN).stream()
                .findFirst();
    }

    /** The workers whose newest assignment was a measurement. */
    @Transactional(readOnly = true)
    public Set<WorkerId> measuredLast(Set<WorkerId> some) {
        return some.isEmpty()
                ? Set.of()
                : assignments.findMeasuredLast(some.stream().map(WorkerId::value).toList()).stream()
                        .map(WorkerId::of)
                        .collect(Collectors.toSet());
    }

    /** The workers with an offered assignment that they have not leased yet. */
    @Transactional(readOnly = true)
    public List<WorkerId> offered() {
        return assignments.findOffered().stream().map(WorkerId::of).toList();
    }

    /** Number of workers that the runs of a project have. */
    @Transactional(readOnly = true)
    public int heldBy(UUID project) {
        return assignments.countHeld(project);
    }

    /** The allocated workers, those of suspended ranks included. */
    @Transactional(readOnly = true)
    public List<BusyWorker> atWork() {
        return assignments.findAtWork(AssignmentState.HELD);
    }

    /**
     * Locks an assignment until the transaction ends, and before it its run or measurement session,
     * so that the reports of two ranks do not deadlock. Leases and departures of workers lock the
     * run last: if one meets a report, the database aborts one of the two, which is retried.
     *
     * @throws Problem {@code not-found}, also for another worker's assignment
     */
    @Transactional
    WorkerAssignment lock(AssignmentId id, WorkerId worker) {
        AssignmentRepository.Work work =
                assignments
                        .findWork(id.value(), worker.value())
                        .orElseThrow(() -> Problem.notFound("assignment", id));
        if (work.run() != null) {
            runs.hold(RunId.of(work.run()));
        } else {
            measurements.hold(WorkerAssignment.task(work.profile(), work.links(), work.rank()));
        }
        return assignments
                .findForUpdate(id.value(), worker.value())
                .orElseThrow(() -> Problem.notFound("assignment", id));
    }

    /**
     * Makes a worker without an assignment idle. Locks the worker for the check, as the scheduler
     * may offer it work at this moment.
     */
    @Transactional
    void releaseUnassigned(WorkerId worker) {
        workers.hold(worker);
        if (assignments.findByWorkerIdAndStateIn(worker.value(), AssignmentState.HELD).isEmpty()) {
            workers.release(worker);
        }
    }

    /**
     * Ends an assignment, or suspends its rank if it was interrupted.
     *
     * @param last the final event of its worker
     */
    @Transactional
    void finish(WorkerAssignment assignment, Outcome last) {
        if (last instanceof Outcome.Interrupted) {
            assignment.suspend();
            return;
        }
        assignment.finish(clock.instant());
        workers.release(assignment.worker());
        if (assignment.subject() instanceof WorkerAssignment.Subject.OfRun) {
            updateCooldown(assignment.worker(), last);
        }
    }

    private void updateCooldown(WorkerId worker, Outcome last) {
        if (!(last instanceof Outcome.Failed failed)) {
            workers.succeed(worker);
        } else if (isOwnFault(failed)) {
            workers.coolDown(worker);
        }
    }

    /** Whether the worker itself caused the failure, so that other work may fail on it, too. */
    private static boolean isOwnFault(Outcome.Failed failed) {
        return failed.cause() != FailureCause.USER && !BLAMELESS_CODES.contains(failed.code());
    }

    @EventListener
    @Transactional
    void on(RunEnded ended) {
        List<WorkerAssignment> parts = assignments.findByRunId(ended.run().value());
        revoke(parts);
        charge(ended.run(), ended.generation(), ended.project(), parts);
    }

    /** Revokes the remaining assignments of the restarted run. */
    @EventListener
    @Transactional
    void on(RunRestarted restarted) {
        List<WorkerAssignment> parts = assignments.findByRunId(restarted.run().value());
        revoke(parts);
        charge(restarted.run(), restarted.generation(), restarted.project(), parts);
    }

    /** Charges the usage; all ranks have reported their final event, which freed their workers. */
    @EventListener
    @Transactional
    void on(RunPreempted preempted) {
        charge(
                preempted.run(),
                preempted.generation(),
                preempted.project(),
                assignments.findByRunId(preempted.run().value()));
    }

    /** Charges at most the time that heartbeats cover: the clock may have jumped since the last. */
    private void charge(RunId run, int generation, UUID project, List<WorkerAssignment> parts) {
        Instant now = clock.instant();
        List<WorkerAssignment> last =
                parts.stream().filter(it -> it.generation() == generation).toList();
        if (!last.isEmpty()) {
            Map<WorkerId, Instant> covered =
                    workers.coveredUntil(last.stream().map(WorkerAssignment::worker).toList());
            double workerSeconds =
                    last.stream()
                            .mapToDouble(it ->
                                    it.heldSeconds(now, covered.getOrDefault(it.worker(), now)))
                            .sum();
            usage.charge(new UsageCharge(run.value(), generation, project, workerSeconds, now));
        }
    }

    /** Keeps a time without heartbeats out of the charges. */
    @EventListener
    @Transactional
    void on(HeartbeatGap gap) {
        assignments
                .findSince(gap.worker().value(), AssignmentState.HELD, gap.from())
                .forEach(it -> it.exclude(gap.from(), gap.until()));
    }

    @EventListener
    @Transactional
    void on(MeasurementsFailed failed) {
        assignments.findMeasuring(failed.ids(), AssignmentState.OPEN).forEach(this::revoke);
    }

    private void revoke(List<WorkerAssignment> parts) {
        parts.stream().filter(WorkerAssignment::isSuspended).forEach(this::releaseSuspended);
        parts.stream().filter(WorkerAssignment::isOpen).forEach(this::revoke);
    }

    private void releaseSuspended(WorkerAssignment suspended) {
        suspended.finish(clock.instant());
        workers.release(suspended.worker());
    }

    /**
     * Starts a new generation of a reconfigured run and revokes the assignments of all other
     * workers.
     *
     * @param generation number of the generation that starts
     */
    @Transactional
    public void reconfigure(SuspendedRun suspended, NextGeneration next, int generation) {
        List<RankAllocation> allocations = next.allocations();
        List<WorkerAssignment> parts =
                assignments.findByRunId(suspended.run().value()).stream()
                        .filter(it -> it.generation() == suspended.generation())
                        .toList();
        Set<WorkerId> present =
                allocations.stream().map(RankAllocation::worker).collect(Collectors.toSet());
        parts.stream()
                .filter(it -> it.isSuspended() && present.contains(it.worker()))
                .forEach(it -> it.finish(clock.instant()));
        revoke(parts);
        charge(suspended.run(), suspended.generation(), suspended.project(), parts);
        allocations.stream()
                .map(RankAllocation::worker)
                .skip(suspended.left().size() - next.leaving().size())
                .forEach(workers::occupy);
        byte[] key = newKey();
        for (int rank = 0; rank < allocations.size(); rank++) {
            assignments.save(
                    WorkerAssignment.ofRun(
                            allocations.get(rank).worker(),
                            suspended.run(),
                            rank,
                            generation,
                            key,
                            clock.instant()));
        }
    }

    /** Revokes an assignment that its worker has lost; further reports on it are rejected. */
    @Transactional
    void revokeLost(WorkerAssignment lost) {
        lost.revoke(clock.instant());
    }

    /** Revokes an open assignment; a worker that has not leased it yet is free at once. */
    private void revoke(WorkerAssignment open) {
        boolean unknown = open.state() == AssignmentState.OFFERED;
        open.revoke(clock.instant());
        if (unknown) {
            workers.release(open.worker());
        }
    }

    @EventListener
    @Transactional
    void on(WorkerDeparted gone) {
        for (WorkerAssignment open :
                assignments.findByWorkerIdAndStateIn(gone.worker().value(), AssignmentState.HELD)) {
            open.revoke(clock.instant());
            if (open.subject() instanceof WorkerAssignment.Subject.OfRun part) {
                lose(part, gone);
            }
        }
    }

    private void lose(WorkerAssignment.Subject.OfRun part, WorkerDeparted gone) {
        runs.lose(
                part.run(),
                part.rank(),
                new RunFailure(
                        FailureCause.WORKER,
                        "worker-gone",
                        "rank %d on %s %s".formatted(part.rank(), gone.name(), gone.how())));
    }
}
