package dev.equipoise.app.schedule;

import dev.equipoise.app.checkpoint.Checkpoints;
import dev.equipoise.app.run.RunEnded;
import dev.equipoise.app.run.RunPreempted;
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

    OldCheckpoints(Checkpoints checkpoints) {
        this.checkpoints = checkpoints;
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
    void remove(RunPreempted preempted) {
        checkpoints.sweep(preempted.run(), preempted.epoch());
    }

    @TransactionalEventListener
    void remove(RunEnded ended) {
        checkpoints.sweep(ended.run(), 0);
    }
}
