package dev.equipoise.app.worker;

import dev.equipoise.app.time.Deadline;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;
import org.springframework.transaction.event.TransactionalEventListener;

/**
 * Caches the live workers for heartbeat replies: hundreds of heartbeats arrive between two changes.
 * A change that another instance of the service makes is visible here after {@link #LIFE} at most.
 * Thread-safe.
 */
@Component
class LiveWorkerCache {

    private static final Duration LIFE = Duration.ofSeconds(1);

    private final Clock clock;
    private final AtomicReference<Cached> last = new AtomicReference<>(Cached.nothing());

    LiveWorkerCache(Clock clock) {
        this.clock = clock;
    }

    private record Cached(List<LabWorker> live, Instant until) {

        /**
         * A new instance each time, so that compareAndSet rejects a snapshot from before the
         * change.
         */
        static Cached nothing() {
            return new Cached(List.of(), Instant.MIN);
        }
    }

    @TransactionalEventListener
    void on(LiveWorkersChanged change) {
        last.set(Cached.nothing());
    }

    /**
     * The live workers, oldest first.
     *
     * @param live reads them from the database
     */
    List<LabWorker> known(Supplier<List<LabWorker>> live) {
        Instant now = clock.instant();
        Cached cached = last.get();
        if (Deadline.isAhead(cached.until(), LIFE, now)) {
            return cached.live();
        }
        Cached read = new Cached(live.get(), now.plus(LIFE));
        last.compareAndSet(cached, read);
        return read.live();
    }
}
