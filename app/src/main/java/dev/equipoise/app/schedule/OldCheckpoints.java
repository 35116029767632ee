package dev.equipoise.app.schedule;

import dev.equipoise.app.checkpoint.Checkpoints;
import dev.equipoise.app.run.CheckpointKept;
import dev.equipoise.app.run.RunEnded;
import dev.equipoise.app.run.RunLifecycle;
import dev.equipoise.app.run.RunPreempted;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionalEventListener;

/**
 * Keeps of the checkpoints of a run the newest, and none of one that is over: the rows go with what
 * makes them old, the files once that is certain.
 */
@Component
class OldCheckpoints {

    private final Checkpoints checkpoints;
    private final RunLifecycle runs;

    OldCheckpoints(Checkpoints checkpoints, RunLifecycle runs) {
        this.checkpoints = checkpoints;
        this.runs = runs;
    }

    /** What was left when the service died. */
    @EventListener(ApplicationReadyEvent.class)
    void removeLeftOver() {
        Attempt.run(() -> checkpoints.sweepLeftOver(runs::notOver));
    }

    @EventListener
    @Transactional
    void forget(RunPreempted preempted) {
        checkpoints.forgetBefore(preempted.run(), preempted.epoch());
    }

    @EventListener
    @Transactional
    void forget(RunEnded ended) {
        checkpoints.forgetBefore(ended.run(), Integer.MAX_VALUE);
    }

    @TransactionalEventListener
    void remove(CheckpointKept kept) {
        checkpoints.sweep(kept.run());
    }

    @TransactionalEventListener
    void remove(RunPreempted preempted) {
        checkpoints.sweep(preempted.run(), preempted.epoch());
    }

    @TransactionalEventListener
    void remove(RunEnded ended) {
        checkpoints.sweep(ended.run(), 0);
    }
}
