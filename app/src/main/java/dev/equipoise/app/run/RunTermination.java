package dev.equipoise.app.run;

import dev.equipoise.app.recovery.RunFailure;
import java.time.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Component;

/** Completes and fails runs. Callers must hold the lock of the run. */
@Component
class RunTermination {

    private static final Logger log = LoggerFactory.getLogger(RunTermination.class);

    private final Predictions predictions;
    private final RunEvents runEvents;
    private final ApplicationEventPublisher events;
    private final Clock clock;

    RunTermination(
            Predictions predictions,
            RunEvents runEvents,
            ApplicationEventPublisher events,
            Clock clock) {
        this.predictions = predictions;
        this.runEvents = runEvents;
        this.events = events;
        this.clock = clock;
    }

    void complete(Run run) {
        run.complete(clock.instant());
        predictions.validate(run);
        runEvents.append(run.id(), new RunEvent.State(run.state()));
        log.info("run completed: {}", run.id());
        events.publishEvent(RunEnded.of(run));
    }

    void fail(Run run, RunFailure failure) {
        run.fail(failure, clock.instant());
        runEvents.append(run.id(), new RunEvent.Failed(failure));
        runEvents.append(run.id(), new RunEvent.State(run.state()));
        log.warn("run failed: {}: {} {}", run.id(), failure.code(), failure.message());
        events.publishEvent(RunEnded.of(run));
    }
}
