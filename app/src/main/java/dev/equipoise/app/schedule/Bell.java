package dev.equipoise.app.schedule;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Wakes those who wait for work when this instance of the service has offered some, committed. Any
 * thread may call.
 */
@Component
class Bell {

    private final Lock lock = new ReentrantLock();
    private final Condition rung = lock.newCondition();
    private long count;
    private boolean closed;

    /** Lets everybody go: the service stops, and nothing more will come. */
    @EventListener
    void on(ContextClosedEvent closing) {
        lock.lock();
        try {
            closed = true;
            rung.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void ring() {
        lock.lock();
        try {
            count++;
            rung.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** How often it has rung; to be asked before looking, so that no ring is missed. */
    long count() {
        lock.lock();
        try {
            return count;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until it has rung more often than {@code seen}, or the time is over.
     *
     * @return whether it may ring again
     */
    boolean await(long seen, Duration atMost) throws InterruptedException {
        long nanos = atMost.toNanos();
        lock.lock();
        try {
            while (count <= seen && nanos > 0 && !closed) {
                nanos = rung.awaitNanos(nanos);
            }
            return !closed;
        } finally {
            lock.unlock();
        }
    }
}
