package dev.equipoise.app.worker;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;
import org.springframework.transaction.event.TransactionalEventListener;

/**
 * The live workers, as heartbeats are answered with them: hundreds come between two changes. What
 * another instance of the service has changed is known here {@link #LIFE} later at most. Any thread
 * may call.
 */
@Component
class Neighbours {

    private static final Duration LIFE = Duration.ofSeconds(1);

    private final Clock clock;
    private final AtomicReference<Known> last = new AtomicReference<>(Known.nothing());

    Neighbours(Clock clock) {
        this.clock = clock;
    }

    private record Known(List<LabWorker> live, Instant until) {

        /**
         * A new instance each time, so that compareAndSet rejects a snapshot from before the
         * change.
         */
        static Known nothing() {
            return new Known(List.of(), Instant.MIN);
        }
    }

    @TransactionalEventListener
    void on(NeighboursChanged change) {
        last.set(Known.nothing());
    }

    /**
     * The live workers, oldest first.
     *
     * @param live looks at them
     */
    List<LabWorker> known(Supplier<List<LabWorker>> live) {
        Instant now = clock.instant();
        Known known = last.get();
        if (now.isBefore(known.until())) {
            return known.live();
        }
        Known looked = new Known(live.get(), now.plus(LIFE));
        last.compareAndSet(known, looked);
        return looked.live();
    }
}
