package dev.equipoise.app.schedule;

import dev.equipoise.app.run.RunLifecycle;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.app.worker.WorkerState;
import dev.equipoise.app.worker.Workers;
import dev.equipoise.protocol.WorkerId;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** What the service does of its own accord, over and over. */
@Component
class Duties {

    private static final Logger log = LoggerFactory.getLogger(Duties.class);

    private final Scheduler scheduler;
    private final RunLifecycle runs;
    private final Workers workers;
    private final Bell bell;

    Duties(Scheduler scheduler, RunLifecycle runs, Workers workers, Bell bell) {
        this.scheduler = scheduler;
        this.runs = runs;
        this.workers = workers;
        this.bell = bell;
    }

    @Scheduled(fixedDelayString = "${equipoise.schedule.period:300ms}")
    void giveWork() {
        attempt(scheduler::offerProfiles);
        Set<WorkerId> free =
                workers.live().stream()
                        .filter(worker -> worker.state() == WorkerState.IDLE)
                        .map(LabWorker::id)
                        .collect(Collectors.toSet());
        runs.queued().forEach(run -> attempt(() -> scheduler.schedule(run, free)));
        bell.ring();
    }

    /** Not at once after a start: the workers could not be heard while the service was away. */
    @Scheduled(fixedDelay = 1_000, initialDelayString = "${equipoise.worker.silence:10s}")
    void loseSilentWorkers() {
        attempt(workers::loseSilent);
    }

    /**
     * What somebody else changed at the same moment is looked at again the next time; what fails
     * otherwise must not hold up the rest.
     */
    private static void attempt(Runnable duty) {
        try {
            duty.run();
        } catch (ConcurrencyFailureException conflict) {
            log.debug("changed meanwhile: {}", conflict.getMessage());
        } catch (RuntimeException failure) {
            log.error("duty failed", failure);
        }
    }
}
