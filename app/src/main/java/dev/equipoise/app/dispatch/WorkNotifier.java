package dev.equipoise.app.dispatch;

import dev.equipoise.protocol.WorkerId;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Wakes agents that wait for work as soon as the transaction that offers it has committed. One
 * query serves all waiting agents of this instance. Thread-safe.
 */
@Component
public class WorkNotifier {

    private final Set<Waiter> waiters = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** Wakes all waiters: the service stops. */
    @EventListener
    void on(ContextClosedEvent closing) {
        closed = true;
        waiters.forEach(Waiter::wake);
    }

    /** Registers a waiter; call this before the first look for work, so that no wake-up is lost. */
    Waiter register(WorkerId worker) {
        var waiter = new Waiter(worker);
        waiters.add(waiter);
        return waiter;
    }

    public boolean hasWaiters() {
        return !waiters.isEmpty();
    }

    public void wake(Collection<WorkerId> workers) {
        Set<WorkerId> offered = Set.copyOf(workers);
        waiters.stream().filter(it -> offered.contains(it.worker)).forEach(Waiter::wake);
    }

    /** A request that waits for work of one worker. */
    final class Waiter implements AutoCloseable {

        private final WorkerId worker;
        private final Semaphore wakeUps = new Semaphore(0);

        private Waiter(WorkerId worker) {
            this.worker = worker;
        }

        private void wake() {
            wakeUps.release();
        }

        /**
         * Waits for a wake-up since the last call, at most for the given time.
         *
         * @return false once the service stops: no wake-up follows
         */
        boolean await(Duration atMost) throws InterruptedException {
            if (!closed && wakeUps.tryAcquire(atMost.toNanos(), TimeUnit.NANOSECONDS)) {
                wakeUps.drainPermits();
            }
            return !closed;
        }

        @Override
        public void close() {
            waiters.remove(this);
        }
    }
}
