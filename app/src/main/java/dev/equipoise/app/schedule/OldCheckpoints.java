package dev.equipoise.app.schedule;

import dev.equipoise.app.checkpoint.Checkpoints;
import dev.equipoise.app.run.CheckpointKept;
import dev.equipoise.app.run.PartsForgotten;
import dev.equipoise.app.run.RunEnded;
import dev.equipoise.app.run.RunLifecycle;
import dev.equipoise.app.run.RunPreempted;
import dev.equipoise.app.run.RunSetBack;
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
 * Keeps of the checkpoints of a run the newest, none of one that is over, and no part of one that
 * will never be whole: the rows go with what makes them old, the files once that is certain.
 */
@Component
class OldCheckpoints {

    private final Checkpoints checkpoints;
    private final RunLifecycle runs;
    private final TaskExecutor later;

    /**
     * @param later where files are removed: a bucket that does not answer must hold up nobody, nor
     *     the connection to the database that whoever is at the end of a transaction still has
     */
    OldCheckpoints(
            Checkpoints checkpoints,
            RunLifecycle runs,
            @Qualifier("applicationTaskExecutor") TaskExecutor later) {
        this.checkpoints = checkpoints;
        this.runs = runs;
        this.later = later;
    }

    @Scheduled(fixedDelay = 1, timeUnit = TimeUnit.HOURS)
    void tidyUp() {
        later.execute(this::removeLeftOver);
    }

    /** What was left when the service died, or could not be removed when it was old. */
    void removeLeftOver() {
        Attempt.run(() -> checkpoints.sweepLeftOver(runs::notOver));
    }

    @EventListener
    @Transactional
    void forget(CheckpointKept kept) {
        checkpoints.forgetParts(kept.run(), kept.generation(), kept.epoch());
    }

    @EventListener
    @Transactional
    void forget(RunPreempted preempted) {
        checkpoints.forgetBefore(preempted.run(), preempted.epoch());
        forgetParts(preempted.run(), preempted.generation());
    }

    /** What comes later is trained anew, by other ranks. */
    @EventListener
    @Transactional
    void forget(RunSetBack setBack) {
        checkpoints.forgetAfter(setBack.run(), setBack.epoch());
        forgetParts(setBack.run(), setBack.generation());
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
    void remove(CheckpointKept kept) {
        sweep(kept.run(), kept.generation(), kept.epoch());
    }

    @TransactionalEventListener
    void remove(PartsForgotten forgotten) {
        sweep(forgotten.run(), forgotten.generation(), forgotten.epoch());
    }

    @TransactionalEventListener
    void remove(RunPreempted preempted) {
        sweep(preempted.run(), preempted.generation(), Integer.MAX_VALUE);
    }

    @TransactionalEventListener
    void remove(RunSetBack setBack) {
        sweep(setBack.run(), setBack.generation(), Integer.MAX_VALUE);
    }

    @TransactionalEventListener
    void remove(RunEnded ended) {
        sweep(ended.run(), ended.generation(), Integer.MAX_VALUE);
    }

    /** One that came too late for its run. */
    void discard(CheckpointHeader part) {
        later.execute(() -> Attempt.run(() -> checkpoints.discard(part)));
    }

    private void sweep(RunId run, int generation, int epoch) {
        later.execute(() -> Attempt.run(() -> checkpoints.sweep(run, generation, epoch)));
    }
}
