package dev.equipoise.app.run;

import dev.equipoise.app.checkpoint.Checkpoints;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.checkpoint.CheckpointHeader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Which checkpoints a run wants, and with which one it begins. */
@Service
public class RunCheckpoints {

    private static final Logger log = LoggerFactory.getLogger(RunCheckpoints.class);

    /** Parts of one rank that may wait for those of others, or for their figures. */
    private static final int MOST_UNSETTLED = 16;

    private final RunRepository runs;
    private final EpochResultRepository results;
    private final RunEvents told;
    private final Checkpoints checkpoints;
    private final ApplicationEventPublisher events;

    RunCheckpoints(
            RunRepository runs,
            EpochResultRepository results,
            RunEvents told,
            Checkpoints checkpoints,
            ApplicationEventPublisher events) {
        this.runs = runs;
        this.results = results;
        this.told = told;
        this.checkpoints = checkpoints;
        this.events = events;
    }

    /**
     * Makes sure that a part is of a checkpoint that the run was asked for.
     *
     * @throws Problem {@code illegal-state} where it was not, or where too many of the rank wait
     *     for the other ranks; {@code invalid-request} where it is of something else, {@code
     *     stale-generation} where it is of an earlier generation
     */
    @Transactional(readOnly = true)
    public void requireWanted(CheckpointHeader part) {
        checkWanted(
                runs.findById(part.run().value())
                        .orElseThrow(() -> Problem.notFound("run", part.run())),
                part);
    }

    /**
     * Keeps a part whose file is written, where the run still wants it; with the last one that was
     * missing, the checkpoint.
     */
    @Transactional
    public void keep(CheckpointHeader part) {
        Run run =
                runs.findForUpdate(part.run().value())
                        .orElseThrow(() -> Problem.notFound("run", part.run()));
        checkWanted(run, part);
        if (checkpoints.keep(part)) {
            forgetOld(run);
            events.publishEvent(new CheckpointKept(part.run(), part.generation(), part.epoch()));
            told.note(
                    run.id(),
                    new RunEvent.Noted(
                            null,
                            null,
                            "has the checkpoint after epoch %d".formatted(part.epoch())));
        } else if (checkpoints.forgetParts(part.run(), part.generation(), neverWhole(run)) > 0) {
            events.publishEvent(new PartsForgotten(part.run(), part.generation(), neverWhole(run)));
        }
    }

    /**
     * The last epoch after which no part comes any more: each rank leaves its own once, before it
     * trains on.
     */
    private int neverWhole(Run run) {
        return results.lastToldByAll(run.id(), run.ranks()) - 1;
    }

    /** A newer one is of no use before all ranks have told the figures up to it. */
    private void forgetOld(Run run) {
        int newest = run.configuration().checkpoint().keep();
        checkpoints.forgetBefore(RunId.of(run.id()), lastTold(run), newest);
    }

    /** The last epoch that all ranks have told, and of which there is a checkpoint; else 0. */
    int lastTold(Run run) {
        return checkpoints.of(RunId.of(run.id())).reversed().stream()
                .mapToInt(Checkpoints.Kept::epoch)
                .filter(it -> results.isWhole(run.id(), it))
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
        boolean isDue = run.configuration().checkpoint().isDueAfter(part.epoch());
        if (run.state() != RunState.RUNNING || !(run.isAskedToStop() || isDue)) {
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
        int unsettled = checkpoints.others(part, Math.max(lastTold(run), neverWhole(run)));
        if (unsettled >= MOST_UNSETTLED) {
            throw Problem.of(
                    ErrorCode.ILLEGAL_STATE,
                    "%d parts of rank %d of run %s may wait for other ranks, or for figures, and %d do"
                            .formatted(MOST_UNSETTLED, part.rank(), run.id(), unsettled));
        }
    }

    /**
     * A part that should be there is not, or is not whole: its checkpoint is none, and an older one
     * has to do.
     */
    @Transactional
    public void lose(RunId id, Checkpoints.Kept kept, int part) {
        if (checkpoints.forget(id, kept)) {
            String what =
                    "part %d of the checkpoint after epoch %d is gone or damaged"
                            .formatted(part, kept.epoch());
            log.error("run {}: {}", id, what);
            told.note(id.value(), new RunEvent.Noted(null, null, what));
        }
    }

    /**
     * The epoch whose checkpoint a run begins with.
     *
     * @throws Problem {@code not-found} where it begins at the beginning
     */
    @Transactional(readOnly = true)
    public int begunWith(RunId id) {
        return runs.findById(id.value())
                .map(Run::checkpointEpoch)
                .orElseThrow(() -> Problem.notFound("checkpoint of run", id));
    }
}
