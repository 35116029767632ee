package dev.equipoise.app.run;

import dev.equipoise.app.checkpoint.CheckpointCompleted;
import dev.equipoise.app.checkpoint.CheckpointPartsDiscarded;
import dev.equipoise.app.checkpoint.Checkpoints;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.telemetry.EpochStore;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.checkpoint.CheckpointHeader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Decides which checkpoint parts a run stores and which checkpoint it loads. */
@Service
public class RunCheckpoints {

    private static final Logger log = LoggerFactory.getLogger(RunCheckpoints.class);

    /** Limit of the parts of one rank that wait for parts or figures of other ranks. */
    private static final int MAX_UNSETTLED = 16;

    private final RunLocks locks;
    private final RunRepository runs;
    private final EpochStore epochs;
    private final RunEvents runEvents;
    private final Checkpoints checkpoints;
    private final ApplicationEventPublisher events;

    RunCheckpoints(
            RunLocks locks,
            RunRepository runs,
            EpochStore epochs,
            RunEvents runEvents,
            Checkpoints checkpoints,
            ApplicationEventPublisher events) {
        this.locks = locks;
        this.runs = runs;
        this.epochs = epochs;
        this.runEvents = runEvents;
        this.checkpoints = checkpoints;
        this.events = events;
    }

    /**
     * Checks that a part belongs to a checkpoint that the run was asked for.
     *
     * @throws Problem {@code illegal-state} if it does not, or if too many parts of the rank wait
     *     for other ranks; {@code invalid-request} if it belongs to another run or epoch; {@code
     *     stale-generation} if it belongs to an earlier generation
     */
    @Transactional(readOnly = true)
    public void requireWanted(CheckpointHeader part) {
        checkWanted(
                runs.findById(part.run().value())
                        .orElseThrow(() -> Problem.notFound("run", part.run())),
                part);
    }

    /**
     * Records a part whose file is written, if the run still wants it; with the last missing part,
     * the checkpoint is complete.
     */
    @Transactional
    public void keep(CheckpointHeader part) {
        Run run = locks.lock(part.run());
        checkWanted(run, part);
        if (checkpoints.keep(part)) {
            discardOld(run);
            events.publishEvent(
                    new CheckpointCompleted(part.run(), part.generation(), part.epoch()));
            runEvents.note(run.id(), "has the checkpoint after epoch %d".formatted(part.epoch()));
        } else if (checkpoints.forgetParts(part.run(), part.generation(), lastClosed(run)) > 0) {
            events.publishEvent(
                    new CheckpointPartsDiscarded(part.run(), part.generation(), lastClosed(run)));
        }
    }

    /** Returns the last epoch of which no part arrives any more. */
    private int lastClosed(Run run) {
        return run.configuration()
                .scheduling()
                .checkpoint()
                .lastSettled(epochs.lastReportedByAll(run.id(), run.ranks()));
    }

    /**
     * Discards old checkpoints. A newer one is unusable until all ranks have reported its epoch.
     */
    private void discardOld(Run run) {
        int newest = run.configuration().scheduling().checkpoint().keep();
        checkpoints.forgetBefore(RunId.of(run.id()), lastUsable(run), newest);
    }

    /** Returns the last epoch that all ranks have reported and that has a checkpoint; else 0. */
    int lastUsable(Run run) {
        return checkpoints.of(RunId.of(run.id())).reversed().stream()
                .mapToInt(Checkpoints.StoredCheckpoint::epoch)
                .filter(it -> epochs.isWhole(run.id(), it))
                .findFirst()
                .orElse(0);
    }

    private void checkWanted(Run run, CheckpointHeader part) {
        if (run.generation() != part.generation()) {
            throw Problem.of(
                    ErrorCode.STALE_GENERATION,
                    "The checkpoint is of generation %d, but run %s is in %d"
                            .formatted(part.generation(), run.id(), run.generation()));
        }
        boolean isDue = run.configuration().scheduling().checkpoint().isDueAfter(part.epoch());
        if (!run.state().takesUploads() || !(run.isAskedToStop() || isDue)) {
            throw Problem.of(
                    ErrorCode.ILLEGAL_STATE,
                    "Run %s is %s and was not asked for a checkpoint"
                            .formatted(run.id(), run.state()));
        }
        int epochs = run.configuration().training().epochs();
        if (part.ranks() != run.ranks()
                || part.epoch() <= run.epochsBefore()
                || part.epoch() >= epochs) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    "The checkpoint must be of %d ranks, after an epoch from %d to %d, but was %s"
                            .formatted(run.ranks(), run.epochsBefore() + 1, epochs - 1, part));
        }
        int unsettled = checkpoints.others(part, Math.max(lastUsable(run), lastClosed(run)));
        if (unsettled >= MAX_UNSETTLED) {
            throw Problem.of(
                    ErrorCode.ILLEGAL_STATE,
                    "rank %d of run %s has %d checkpoint parts that wait for other ranks or figures, but at most %d may wait: upload the part later"
                            .formatted(part.rank(), run.id(), unsettled, MAX_UNSETTLED));
        }
    }

    /** Discards a checkpoint of which a part is missing or damaged; the run uses an older one. */
    @Transactional
    public void lose(RunId id, Checkpoints.StoredCheckpoint kept, int part) {
        locks.lock(id);
        if (checkpoints.forget(id, kept)) {
            String what =
                    "part %d of the checkpoint after epoch %d is gone or damaged"
                            .formatted(part, kept.epoch());
            log.error("run {}: {}", id, what);
            runEvents.note(id.value(), what);
        }
    }

    /**
     * Returns the epoch whose checkpoint a run loads.
     *
     * @throws Problem {@code not-found} if it starts at the beginning
     */
    @Transactional(readOnly = true)
    public int begunWith(RunId id) {
        return runs.findById(id.value())
                .map(Run::checkpointEpoch)
                .orElseThrow(() -> Problem.notFound("checkpoint of run", id));
    }
}
