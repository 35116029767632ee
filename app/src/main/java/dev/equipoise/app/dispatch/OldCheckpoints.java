package dev.equipoise.app.dispatch;

import dev.equipoise.app.checkpoint.CheckpointCompleted;
import dev.equipoise.app.checkpoint.CheckpointPartsDiscarded;
import dev.equipoise.app.checkpoint.Checkpoints;
import dev.equipoise.app.run.OpenRuns;
import dev.equipoise.app.run.RunEnded;
import dev.equipoise.app.run.RunPreempted;
import dev.equipoise.app.run.RunRestarted;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.checkpoint.CheckpointHeader;
import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.event.EventListener;
import org.springframework.core.task.TaskExecutor;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionalEventListener;

/**
 * Removes outdated checkpoints: all but the newest of a run, all of a run that has ended, and parts
 * of a checkpoint that will never be complete. The rows are deleted in the transaction that makes
 * them outdated, the files after its commit.
 */
@Component
class OldCheckpoints {

    private final Checkpoints checkpoints;
    private final OpenRuns runs;
    private final TaskExecutor later;

    /**
     * @param later executor that removes files: an unresponsive bucket must not block the caller,
     *     which still holds its database connection at the end of a transaction
     */
    OldCheckpoints(
            Checkpoints checkpoints,
            OpenRuns runs,
            @Qualifier("applicationTaskExecutor") TaskExecutor later) {
        this.checkpoints = checkpoints;
        this.runs = runs;
        this.later = later;
    }

    @Scheduled(fixedDelay = 1, timeUnit = TimeUnit.HOURS)
    void tidyUp() {
        later.execute(this::removeLeftOver);
    }

    /** Removes files that a crash has left or whose removal has failed before. */
    void removeLeftOver() {
        BestEffort.run(() -> checkpoints.sweepLeftOver(runs::ids));
    }

    @EventListener
    @Transactional
    void forget(CheckpointCompleted kept) {
        checkpoints.forgetParts(kept.run(), kept.generation(), kept.epoch());
    }

    @EventListener
    @Transactional
    void forget(RunPreempted preempted) {
        checkpoints.forgetBefore(preempted.run(), preempted.epoch());
        forgetParts(preempted.run(), preempted.generation());
    }

    /** Later epochs are trained again, by other ranks. */
    @EventListener
    @Transactional
    void forget(RunRestarted restarted) {
        checkpoints.forgetAfter(restarted.run(), restarted.epoch());
        forgetParts(restarted.run(), restarted.generation());
    }

    @EventListener
    @Transactional
    void forget(RunEnded ended) {
        checkpoints.forgetAfter(ended.run(), 0);
        forgetParts(ended.run(), ended.generation());
    }

    private void forgetParts(RunId run, int generation) {
        checkpoints.forgetParts(run, generation, Integer.MAX_VALUE);
    }

    @TransactionalEventListener
    void remove(CheckpointCompleted kept) {
        sweep(kept.run(), kept.generation(), kept.epoch());
    }

    @TransactionalEventListener
    void remove(CheckpointPartsDiscarded forgotten) {
        sweep(forgotten.run(), forgotten.generation(), forgotten.epoch());
    }

    @TransactionalEventListener
    void remove(RunPreempted preempted) {
        sweep(preempted.run(), preempted.generation(), Integer.MAX_VALUE);
    }

    @TransactionalEventListener
    void remove(RunRestarted restarted) {
        sweep(restarted.run(), restarted.generation(), Integer.MAX_VALUE);
    }

    @TransactionalEventListener
    void remove(RunEnded ended) {
        sweep(ended.run(), ended.generation(), Integer.MAX_VALUE);
    }

    /** Removes a part that was uploaded too late for its run. */
    void discard(CheckpointHeader part) {
        later.execute(() -> BestEffort.run(() -> checkpoints.discard(part)));
    }

    private void sweep(RunId run, int generation, int epoch) {
        later.execute(() -> BestEffort.run(() -> checkpoints.sweep(run, generation, epoch)));
    }
}
