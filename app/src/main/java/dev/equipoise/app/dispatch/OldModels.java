package dev.equipoise.app.dispatch;

import dev.equipoise.app.checkpoint.ModelRemoved;
import dev.equipoise.app.checkpoint.ModelReplaced;
import dev.equipoise.app.checkpoint.Models;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.core.task.TaskExecutor;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.transaction.event.TransactionalEventListener;

/** Removes the files of models that were replaced, were removed, or belong to removed runs. */
@Component
class OldModels {

    private final Models models;
    private final TaskExecutor later;

    /**
     * @param later executor that removes files: an unresponsive bucket must not block the caller
     */
    OldModels(Models models, @Qualifier("applicationTaskExecutor") TaskExecutor later) {
        this.models = models;
        this.later = later;
    }

    @Scheduled(fixedDelay = 1, timeUnit = TimeUnit.HOURS)
    void tidyUp() {
        later.execute(this::removeLeftOver);
    }

    /** Removes files that a crash has left or whose removal has failed before. */
    void removeLeftOver() {
        BestEffort.run(models::sweepLeftOver);
    }

    @TransactionalEventListener
    void remove(ModelRemoved removed) {
        later.execute(() -> BestEffort.run(() -> models.discardAll(removed.run())));
    }

    @TransactionalEventListener
    void remove(ModelReplaced replaced) {
        discard(replaced.origin(), replaced.epoch(), replaced.upload());
    }

    /** Removes a file that was uploaded too late for its run, or is not the best one. */
    void discard(Models.Origin origin, int epoch, UUID upload) {
        later.execute(() -> BestEffort.run(() -> models.discard(origin, epoch, upload)));
    }
}
