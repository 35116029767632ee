package dev.equipoise.app.run;

import java.time.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Component;

/** How runs end that nobody has cancelled. Whoever calls holds the run. */
@Component
class Endings {

    private static final Logger log = LoggerFactory.getLogger(Endings.class);

    private final Predictions predictions;
    private final RunEvents told;
    private final ApplicationEventPublisher events;
    private final Clock clock;

    Endings(
            Predictions predictions,
            RunEvents told,
            ApplicationEventPublisher events,
            Clock clock) {
        this.predictions = predictions;
        this.told = told;
        this.events = events;
        this.clock = clock;
    }

    void complete(Run run) {
        run.complete(clock.instant());
        predictions.validate(run);
        told.tell(run.id(), new RunEvent.State(run.state()));
        log.info("run completed: {}", run.id());
        events.publishEvent(RunEnded.of(run));
    }

    void fail(Run run, RunFailure failure) {
        run.fail(failure, clock.instant());
        told.tell(run.id(), new RunEvent.Failed(failure));
        told.tell(run.id(), new RunEvent.State(run.state()));
        log.warn("run failed: {}: {} {}", run.id(), failure.code(), failure.message());
        events.publishEvent(RunEnded.of(run));
    }
}
