package dev.equipoise.app.schedule;

import dev.equipoise.app.run.RunLifecycle;
import dev.equipoise.app.worker.Workers;
import java.util.concurrent.TimeUnit;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** What the service does of its own accord, over and over. */
@Component
class Duties {

    private final Turn turn;
    private final Scheduler scheduler;
    private final Workers workers;
    private final Assignments assignments;
    private final RunLifecycle runs;
    private final Bell bell;

    Duties(
            Turn turn,
            Scheduler scheduler,
            Workers workers,
            Assignments assignments,
            RunLifecycle runs,
            Bell bell) {
        this.turn = turn;
        this.scheduler = scheduler;
        this.workers = workers;
        this.assignments = assignments;
        this.runs = runs;
        this.bell = bell;
    }

    @Scheduled(fixedDelayString = "${equipoise.schedule.period:300ms}")
    void giveWork() {
        Attempt.run(() -> turn.take().ifPresent(this::giveWork));
    }

    private void giveWork(Turn.Taken own) {
        try {
            if (Attempt.at(() -> scheduler.pass(own))) {
                callOffered();
            }
        } finally {
            Attempt.run(() -> turn.end(own));
        }
    }

    /** Another instance of the service may have offered work to who waits here. */
    @Scheduled(fixedDelay = 1_000)
    void callOffered() {
        if (bell.isHeard()) {
            Attempt.run(() -> bell.ring(assignments.offered()));
        }
    }

    /** Who has lost others does not wait for ever for those that say nothing. */
    @Scheduled(fixedDelay = 500)
    void regroupOverdue() {
        runs.overdue().forEach(it -> Attempt.run(() -> runs.regroupOverdue(it)));
    }

    @Scheduled(fixedDelay = 1_000)
    void loseSilentWorkers() {
        Attempt.run(() -> workers.silent().forEach(it -> Attempt.run(() -> workers.lose(it))));
    }

    @Scheduled(fixedDelay = 5_000)
    void giveUpAbsentWorkers() {
        Attempt.run(() -> workers.absent().forEach(it -> Attempt.run(() -> workers.giveUp(it))));
    }

    @Scheduled(fixedDelay = 10, timeUnit = TimeUnit.MINUTES)
    void forgetSights() {
        Attempt.run(workers::forgetSights);
    }
}
