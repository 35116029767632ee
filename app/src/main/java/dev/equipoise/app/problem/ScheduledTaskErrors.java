package dev.equipoise.app.problem;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.task.SimpleAsyncTaskSchedulerCustomizer;
import org.springframework.scheduling.concurrent.SimpleAsyncTaskScheduler;
import org.springframework.stereotype.Component;

/** Logs failed runs of scheduled tasks, and failures of the database among them only once. */
@Component
class ScheduledTaskErrors implements SimpleAsyncTaskSchedulerCustomizer {

    private static final Logger log = LoggerFactory.getLogger(ScheduledTaskErrors.class);

    @Override
    public void customize(SimpleAsyncTaskScheduler scheduler) {
        scheduler.setErrorHandler(failure -> {
            if (!scheduler.isRunning()) {
                // What the task uses may have been closed.
                log.debug("a scheduled task failed while the service stops", failure);
            } else if (DatabaseFailureLog.report(failure).isEmpty()) {
                log.error("a scheduled task failed; its next run follows", failure);
            }
        });
    }
}
