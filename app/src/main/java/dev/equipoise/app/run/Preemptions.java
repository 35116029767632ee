package dev.equipoise.app.run;

import dev.equipoise.app.checkpoint.Checkpoints;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.queue.PreviousStop;
import dev.equipoise.app.queue.WaitReason;
import dev.equipoise.app.recovery.PreemptionRefusal;
import dev.equipoise.app.recovery.RunFailure;
import dev.equipoise.protocol.FailureCause;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.RunId;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Preempts running runs: they stop after an epoch and give their workers to another run. */
@Service
public class Preemptions {

    private static final Logger log = LoggerFactory.getLogger(Preemptions.class);

    private final RunLocks locks;
    private final RunRankRepository runRanks;
    private final RunHistory history;
    private final Checkpoints checkpoints;
    private final RunEvents runEvents;
    private final Recovery recovery;
    private final RunRestart restart;
    private final ApplicationEventPublisher events;
    private final Clock clock;

    Preemptions(
            RunLocks locks,
            RunRankRepository runRanks,
            RunHistory history,
            Checkpoints checkpoints,
            RunEvents runEvents,
            Recovery recovery,
            RunRestart restart,
            ApplicationEventPublisher events,
            Clock clock) {
        this.locks = locks;
        this.runRanks = runRanks;
        this.history = history;
        this.checkpoints = checkpoints;
        this.runEvents = runEvents;
        this.recovery = recovery;
        this.restart = restart;
        this.events = events;
        this.clock = clock;
    }

    /**
     * Asks the agents of a run to stop after an epoch for another run; ignored if the run may not
     * be preempted or is asked already.
     */
    @Transactional
    public void preempt(RunId id, RunId other) {
        Run run = locks.lock(id);
        if (run.state() == RunState.RUNNING
                && run.configuration().isPreemptible()
                && !other.value().equals(run.preemptFor())) {
            run.preempt(other.value());
            runEvents.note(
                    run.id(),
                    "asks the ranks to stop after an epoch, for "
                            + (isOfSameProject(run, other.value())
                                    ? "run " + other
                                    : "a run of another project"));
            log.info("preemption requested: run {} for {}", id, other);
        }
    }

    /** Readers of a run must not learn the ids of runs of other projects. */
    private boolean isOfSameProject(Run run, UUID other) {
        return locks.isInProject(other, run.projectId());
    }

    /** Cancels the preemption of a run. */
    @Transactional
    public void cancel(RunId id) {
        locks.lock(id).cancelPreemption();
        runEvents.note(id.value(), "withdraws the request to stop");
        log.info("preemption canceled: run {}", id);
    }

    /**
     * Records a preemption refusal: the checkpoint of the run was not stored, so the run is not
     * asked again for some time, or ever. Ignored if the run is not asked to stop.
     */
    @Transactional
    public void refuse(RunId id, String reason, boolean isForGood) {
        Run run = locks.lock(id);
        if (!run.isAskedToStop()) {
            return;
        }
        PreemptionRefusal refusal =
                isForGood
                        ? PreemptionRefusal.permanent(run.refusal(), reason, clock.instant())
                        : PreemptionRefusal.after(run.refusal(), reason, clock.instant());
        run.refuse(refusal);
        log.warn("preemption refused: run {}: {}", id, refusal);
    }

    /**
     * Records that a rank has stopped for a preemption; the last one returns the run to the queue.
     * The caller holds the lock of the run.
     *
     * @throws Problem {@code invalid-request} if the run has no checkpoint after the epoch
     */
    void stop(Run run, RunRank runRank, Outcome.Preempted preempted) {
        int epoch = preempted.epoch();
        ReportLimits.of(run, runRank).check(preempted);
        requireCheckpoint(run, runRank, epoch);
        long reported = history.reportedEpochs(run, runRank);
        if (reported != epoch - run.epochsBefore()) {
            restart.recover(run, incomplete(runRank, reported, epoch));
            return;
        }
        runRank.stop(epoch);
        requeueOrSettle(run, epoch);
    }

    private void requeueOrSettle(Run run, int epoch) {
        List<RunRank> ranks = runRanks.findByKeyRunIdOrderByKeyRank(run.id());
        if (ranks.stream().allMatch(it -> it.isLost() || it.hasStoppedAfter(epoch))) {
            history.closeEpochs(run);
            requeue(run, epoch);
        } else if (ranks.stream().anyMatch(it -> it.stopped() != null)) {
            recovery.settle(run, false);
        }
    }

    private void requireCheckpoint(Run run, RunRank runRank, int epoch) {
        if (!checkpoints.isKept(RunId.of(run.id()), run.generation(), epoch)) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    "rank %d stopped after epoch %d, but there is no checkpoint after that epoch"
                            .formatted(runRank.rank(), epoch));
        }
    }

    private static RunFailure incomplete(RunRank runRank, long reported, int epoch) {
        return new RunFailure(
                FailureCause.WORKER,
                "incomplete-report",
                "rank %d on %s stopped after epoch %d, but reported %d"
                        .formatted(runRank.rank(), runRank.workerName(), epoch, reported));
    }

    private void requeue(Run run, int epoch) {
        UUID other = run.preemptFor();
        Instant now = clock.instant();
        RunId by = other != null && isOfSameProject(run, other) ? RunId.of(other) : null;
        var previousStop = new PreviousStop(by, null, epoch, now);
        WaitReason reason = new WaitReason("preempted", previousStop.message());
        run.requeuePreempted(epoch, reason, now);
        runEvents.append(run.id(), new RunEvent.Waits(reason));
        runEvents.append(run.id(), new RunEvent.State(run.state()));
        log.info("run preempted: {} after epoch {} for {}", run.id(), epoch, other);
        events.publishEvent(
                new RunPreempted(RunId.of(run.id()), run.projectId(), run.generation(), epoch));
    }
}
