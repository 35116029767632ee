package dev.equipoise.agent.channel;

import dev.equipoise.agent.time.SystemTime;
import dev.equipoise.agent.time.Time;
import java.io.Closeable;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A rendezvous that is under way: all its steps share one deadline, and the loss of a rank ends it
 * at once. One thread meets the other ranks; any thread may report a loss.
 */
public final class PendingRendezvous {

    private final Time time;
    private final Deadline deadline;
    private final ReentrantLock lock = new ReentrantLock();

    /** Resource that the meeting thread waits on; guarded by the lock. */
    private @Nullable Closeable awaited;

    /** Failure that ends the rendezvous; written under the lock. */
    private volatile @Nullable ChannelFailed loss;

    /**
     * Begins a rendezvous.
     *
     * @param timeout until all ranks are connected
     */
    public PendingRendezvous(Duration timeout, Time time) {
        this.time = time;
        this.deadline = Deadline.in(timeout, time);
    }

    /** Begins a rendezvous on the clock of the operating system. */
    static PendingRendezvous within(Duration timeout) {
        return new PendingRendezvous(timeout, new SystemTime());
    }

    /** Ends the rendezvous, since a failure detector has seen a rank go. Any thread may call. */
    public void lose(int peer) {
        lock.lock();
        try {
            if (loss == null) {
                loss =
                        ChannelFailed.missing(
                                "rank %d left the cluster during the rendezvous".formatted(peer));
            }
            if (awaited != null) {
                Sockets.closeQuietly(awaited);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether a rank was lost, or the deadline has passed. */
    public boolean isOver() {
        return loss != null || deadline.hasPassed();
    }

    /** Returns the loss that has ended the rendezvous, or the given failure if there is none. */
    public ChannelFailed causeOr(ChannelFailed failure) {
        ChannelFailed lost = loss;
        return lost == null ? failure : lost;
    }

    /**
     * Sleeps before the next attempt.
     *
     * @throws InterruptedException when the thread was interrupted, as by a revocation
     */
    public void pause(Duration duration) throws InterruptedException {
        time.sleep(duration.toNanos());
        if (Thread.interrupted()) {
            throw new InterruptedException("waiting for peers");
        }
    }

    Deadline deadline() {
        return deadline;
    }

    /**
     * Sets what the thread waits on from now on: a loss closes it, and closes it at once if it came
     * before.
     */
    void await(Closeable next) {
        lock.lock();
        try {
            awaited = next;
            if (loss != null) {
                Sockets.closeQuietly(next);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends the wait: a later loss closes nothing. */
    void awaitNothing() {
        lock.lock();
        try {
            awaited = null;
        } finally {
            lock.unlock();
        }
    }
}
