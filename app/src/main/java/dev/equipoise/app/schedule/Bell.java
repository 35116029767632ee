package dev.equipoise.app.schedule;

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
 * Wakes those who wait for work when some has been offered to them, committed; one look for all who
 * wait tells whom. Any thread may call.
 */
@Component
class Bell {

    private final Set<Waiter> waiters = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** Lets everybody go: the service stops, and nothing more will come. */
    @EventListener
    void on(ContextClosedEvent closing) {
        closed = true;
        waiters.forEach(Waiter::ring);
    }

    /** Begins to listen for a worker; to be done before looking, so that no ring is missed. */
    Waiter listen(WorkerId worker) {
        var waiter = new Waiter(worker);
        waiters.add(waiter);
        return waiter;
    }

    boolean isHeard() {
        return !waiters.isEmpty();
    }

    void ring(Collection<WorkerId> workers) {
        Set<WorkerId> called = Set.copyOf(workers);
        waiters.stream().filter(it -> called.contains(it.worker)).forEach(Waiter::ring);
    }

    /** One who waits for work of a worker. */
    final class Waiter implements AutoCloseable {

        private final WorkerId worker;
        private final Semaphore rung = new Semaphore(0);

        private Waiter(WorkerId worker) {
            this.worker = worker;
        }

        private void ring() {
            rung.release();
        }

        /**
         * Waits until it rings, unless it has since the last time, or the time is over.
         *
         * @return whether it may ring again
         */
        boolean await(Duration atMost) throws InterruptedException {
            if (!closed && rung.tryAcquire(atMost.toNanos(), TimeUnit.NANOSECONDS)) {
                rung.drainPermits();
            }
            return !closed;
        }

        @Override
        public void close() {
            waiters.remove(this);
        }
    }
}
