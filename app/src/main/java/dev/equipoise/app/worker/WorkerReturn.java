package dev.equipoise.app.worker;

import dev.equipoise.app.account.Tokens;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.protocol.Registration;
import dev.equipoise.protocol.WorkerId;
import java.time.Clock;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Component;

/**
 * The return of a worker whose agent has started again. The worker keeps its id and cordon, and its
 * profiles and links unless {@link WorkerChanges} make them stale; the assignments of its former
 * process are revoked.
 */
@Component
class WorkerReturn {

    private static final Logger log = LoggerFactory.getLogger(WorkerReturn.class);

    private final ClusterViews clusterViews;
    private final Tokens tokens;
    private final WorkerSettings settings;
    private final ApplicationEventPublisher events;
    private final Clock clock;

    WorkerReturn(
            ClusterViews clusterViews,
            Tokens tokens,
            WorkerSettings settings,
            ApplicationEventPublisher events,
            Clock clock) {
        this.clusterViews = clusterViews;
        this.tokens = tokens;
        this.settings = settings;
        this.events = events;
        this.clock = clock;
    }

    /**
     * Makes a locked worker JOINING again, within the transaction of the caller. Idempotent.
     *
     * @throws Problem {@code illegal-state} if the credential of the registration is not the
     *     worker's
     */
    void apply(Worker worker, Registration registration) {
        LabWorker before = worker.snapshot();
        tokens.resume(before.id(), registration.credential());
        Instant now = clock.instant();
        WorkerChanges changes = worker.comeBack(registration, clusterViews.store(Set.of()), now);
        log.info(
                "worker returned: {} {}, which was {}",
                registration.name(),
                before.id(),
                before.state());
        warnOfChanges(registration.name(), before.id(), changes.sentence());
        events.publishEvent(new LiveWorkersChanged());
        if (before.state() != WorkerState.JOINING && before.state().isLive()) {
            endFormerProcess(before, now);
        }
    }

    private static void warnOfChanges(String name, WorkerId id, @Nullable String sentence) {
        if (sentence != null) {
            log.warn("worker changed: {} {}: {}", name, id, sentence);
        }
    }

    /** Takes the work from a worker whose former process ended without leaving. */
    private void endFormerProcess(LabWorker before, Instant now) {
        if (!settings.covers(before.lastSeenAt(), now)) {
            events.publishEvent(new HeartbeatGap(before.id(), before.lastSeenAt(), now));
        }
        events.publishEvent(new WorkerDeparted(before.id(), before.name(), "was started again"));
    }
}
