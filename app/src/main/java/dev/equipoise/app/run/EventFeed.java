package dev.equipoise.app.run;

import dev.equipoise.app.run.RunEvents.Stored;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The newest events of a run, once for all who follow it: whoever is too slow for them does not
 * make them more. Any thread may call.
 */
final class EventFeed {

    private static final int MOST_EVENTS = 512;
    private static final int MOST_CHARACTERS = 1 << 20;

    private final UUID run;
    private final Lock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<Stored> window = new ArrayDeque<>();
    private int characters;

    /** All events after this one that are known are in the window. */
    private long start;

    private long latest;
    private boolean closed;

    /** How many follow it; those who count hold the lock of all feeds. */
    int readers;

    /**
     * @param latest the last event so far
     */
    EventFeed(UUID run, long latest) {
        this.run = run;
        this.start = latest;
        this.latest = latest;
    }

    /** What a reader finds. */
    sealed interface Next {

        /** These follow, at least one. */
        record Events(List<Stored> events) implements Next {}

        /** Nothing has followed so far. */
        record Nothing() implements Next {}

        /** What follows is not here any more, or never was. */
        record Older() implements Next {}

        /** The service stops. */
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

    /** Everything after this event that is known is here. */
    long start() {
        lock.lock();
        try {
            return start;
        } finally {
            lock.unlock();
        }
    }

    /** More have been found, in their order. */
    void add(List<Stored> events) {
        lock.lock();
        try {
            for (Stored event : events) {
                window.addLast(event);
                characters += event.body().length();
                latest = event.id();
            }
            while (window.size() > MOST_EVENTS || characters > MOST_CHARACTERS) {
                Stored oldest = window.removeFirst();
                characters -= oldest.body().length();
                start = oldest.id();
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Nothing more will come. */
    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** What follows an event, waiting for it as long as that may take. */
    Next after(long id, Duration atMost) throws InterruptedException {
        long nanos = atMost.toNanos();
        lock.lock();
        try {
            while (latest <= id && nanos > 0 && !closed) {
                nanos = changed.awaitNanos(nanos);
            }
            if (closed) {
                return new Next.Closed();
            }
            if (id < start) {
                return new Next.Older();
            }
            List<Stored> events = window.stream().filter(event -> event.id() > id).toList();
            return events.isEmpty() ? new Next.Nothing() : new Next.Events(events);
        } finally {
            lock.unlock();
        }
    }
}
