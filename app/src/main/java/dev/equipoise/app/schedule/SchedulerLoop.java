package dev.equipoise.app.schedule;

import dev.equipoise.app.dispatch.Assignments;
import dev.equipoise.app.dispatch.BestEffort;
import dev.equipoise.app.dispatch.SchedulerLease;
import dev.equipoise.app.dispatch.WorkNotifier;
import dev.equipoise.app.run.GracePeriods;
import dev.equipoise.app.worker.Workers;
import java.util.concurrent.TimeUnit;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Runs the scheduled tasks of the service: scheduling passes, liveness checks, clean-up. */
@Component
class SchedulerLoop {

    private final SchedulerLease lease;
    private final Scheduler scheduler;
    private final Workers workers;
    private final Assignments assignments;
    private final GracePeriods gracePeriods;
    private final WorkNotifier notifier;

    SchedulerLoop(
            SchedulerLease lease,
            Scheduler scheduler,
            Workers workers,
            Assignments assignments,
            GracePeriods gracePeriods,
            WorkNotifier notifier) {
        this.lease = lease;
        this.scheduler = scheduler;
        this.workers = workers;
        this.assignments = assignments;
        this.gracePeriods = gracePeriods;
        this.notifier = notifier;
    }

    @Scheduled(fixedDelayString = "${equipoise.schedule.period:300ms}")
    void giveWork() {
        BestEffort.run(() -> lease.acquire().ifPresent(this::giveWork));
    }

    private void giveWork(SchedulerLease.Token token) {
        try {
            if (BestEffort.call(() -> scheduler.pass(token))) {
                wakeOffered();
            }
        } finally {
            BestEffort.run(() -> lease.release(token));
        }
    }

    /** Wakes agents that wait here for work that another instance of the service has offered. */
    @Scheduled(fixedDelay = 1_000)
    void wakeOffered() {
        if (notifier.hasWaiters()) {
            BestEffort.run(() -> notifier.wake(assignments.offered()));
        }
    }

    /** Reconfigures runs whose grace period has expired. */
    @Scheduled(fixedDelay = 500)
    void endGracePeriods() {
        BestEffort.run(this::endOverdue);
    }

    private void endOverdue() {
        gracePeriods.overdue().forEach(it -> BestEffort.run(() -> gracePeriods.end(it)));
    }

    @Scheduled(fixedDelay = 1_000)
    void loseSilentWorkers() {
        BestEffort.run(
                () -> workers.silent().forEach(it -> BestEffort.run(() -> workers.lose(it))));
    }

    @Scheduled(fixedDelay = 5_000)
    void giveUpAbsentWorkers() {
        BestEffort.run(
                () -> workers.absent().forEach(it -> BestEffort.run(() -> workers.giveUp(it))));
    }

    @Scheduled(fixedDelay = 10, timeUnit = TimeUnit.MINUTES)
    void forgetClusterViews() {
        BestEffort.run(workers::forgetClusterViews);
    }
}
