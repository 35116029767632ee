package dev.equipoise.app.measurement;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.app.worker.Workers;
import dev.equipoise.protocol.WorkerId;
import java.time.Clock;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Component;

/** Begins and ends measurement sessions of both kinds. Needs a transaction. */
@Component
class Sessions {

    private static final Logger log = LoggerFactory.getLogger(Sessions.class);

    private final Workers workers;
    private final ApplicationEventPublisher events;
    private final Clock clock;

    Sessions(Workers workers, ApplicationEventPublisher events, Clock clock) {
        this.workers = workers;
        this.events = events;
        this.clock = clock;
    }

    /** Locks the workers in one fixed order, so that concurrent transactions do not deadlock. */
    List<LabWorker> lock(Set<WorkerId> wanted) {
        return wanted.stream()
                .sorted(Comparator.comparing(WorkerId::toString))
                .map(workers::hold)
                .toList();
    }

    /**
     * Locks workers that take work.
     *
     * @param purpose the predicate of a message, as in {@code cannot be profiled}
     * @throws Problem {@code illegal-state} if a worker takes no work
     */
    List<LabWorker> lockReady(Set<WorkerId> wanted, String purpose) {
        List<LabWorker> locked = lock(wanted);
        for (LabWorker worker : locked) {
            if (!worker.takesWork()) {
                throw Problem.of(
                        ErrorCode.ILLEGAL_STATE,
                        "Worker %s is %s and %s"
                                .formatted(worker.id(), worker.standing(), purpose));
            }
        }
        return locked;
    }

    /** Fails an unfinished session because of one of its parts. */
    void fail(Session session, SessionPart culprit, String reason) {
        Set<UUID> ended = session.fail(culprit, reason, clock.instant());
        if (!ended.isEmpty()) {
            log.warn("measurements failed: {}: {}", ended, reason);
            events.publishEvent(new MeasurementsFailed(ended));
        }
    }

    /** Withdraws an unfinished session. */
    void withdraw(Session session, String reason) {
        Set<UUID> ended = session.withdraw(reason, clock.instant());
        if (!ended.isEmpty()) {
            log.info("measurements withdrawn: {}: {}", ended, reason);
            events.publishEvent(new MeasurementsFailed(ended));
        }
    }
}
