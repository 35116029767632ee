package dev.equipoise.app.telemetry;

import dev.equipoise.app.telemetry.EventLog.Stored;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Window of the newest events of a run, shared by all its readers. A reader that is too slow falls
 * behind the window; it does not grow the window. Thread-safe.
 */
public final class EventFeed {

    private static final int MAX_EVENTS = 512;
    private static final int MAX_CHARACTERS = 1 << 20;

    private final UUID run;
    private final Lock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<Stored> window = new ArrayDeque<>();
    private int characters;

    /** The window has all known events after this id. */
    private long start;

    private long latest;
    private boolean closed;

    /** Number of readers; guarded by the lock of {@link EventFeeds}. */
    int readers;

    /**
     * @param latest id of the last event so far
     */
    EventFeed(UUID run, long latest) {
        this.run = run;
        this.start = latest;
        this.latest = latest;
    }

    /** Result of a read. */
    public sealed interface Next {

        /** The events that follow, at least one. */
        record Events(List<Stored> events) implements Next {}

        /** No event has followed so far. */
        record Nothing() implements Next {}

        /** The events that follow are older than the window. */
        record Older() implements Next {}

        /** The service is stopping. */
        record Closed() implements Next {}
    }

    UUID run() {
        return run;
    }

    long latest() {
        lock.lock();
        try {
            return latest;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the id after which the window has all known events. */
    public long start() {
        lock.lock();
        try {
            return start;
        } finally {
            lock.unlock();
        }
    }

    /** Appends events in ascending order of ids and drops the oldest beyond the limits. */
    void add(List<Stored> events) {
        lock.lock();
        try {
            for (Stored event : events) {
                window.addLast(event);
                characters += event.body().length();
                latest = event.id();
            }
            dropOldest();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void dropOldest() {
        while (window.size() > MAX_EVENTS || characters > MAX_CHARACTERS) {
            Stored oldest = window.removeFirst();
            characters -= oldest.body().length();
            start = oldest.id();
        }
    }

    /** Wakes all readers, since no event will follow. */
    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the events after an id; waits at most {@code atMost} for the first one. */
    public Next after(long id, Duration atMost) throws InterruptedException {
        long nanos = atMost.toNanos();
        lock.lock();
        try {
            while (latest <= id && nanos > 0 && !closed) {
                nanos = changed.awaitNanos(nanos);
            }
            return next(id);
        } finally {
            lock.unlock();
        }
    }

    private Next next(long id) {
        if (closed) {
            return new Next.Closed();
        }
        if (id < start) {
            return new Next.Older();
        }
        List<Stored> events = window.stream().filter(event -> event.id() > id).toList();
        return events.isEmpty() ? new Next.Nothing() : new Next.Events(events);
    }
}
