package dev.equipoise.app.telemetry;

import dev.equipoise.app.telemetry.EventLog.Stored;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.transaction.event.TransactionalEventListener;

/**
 * Polls the database for new events of all runs that have readers, with one query: as soon as this
 * instance has written an event, and twice a second because other instances write events too.
 */
@Component
public class EventFeeds {

    /** Least time between two polls, in milliseconds. */
    private static final int PERIOD_MILLIS = 50;

    /** Periods after which a poll happens even if this instance has written nothing. */
    private static final int PERIODS_PER_POLL = 10;

    /** Limit of the events of each run in one poll; the others follow in the next poll. */
    private static final int MAX_AT_ONCE = 256;

    private final EventLog events;
    private final Lock polling = new ReentrantLock();
    private final Lock lock = new ReentrantLock();
    private final Map<UUID, EventFeed> feeds = new HashMap<>();
    private final AtomicBoolean written = new AtomicBoolean();
    private final AtomicLong periods = new AtomicLong();
    private boolean closed;

    EventFeeds(EventLog events) {
        this.events = events;
    }

    /** Returns the feed of a run, which each caller must {@link #leave}. */
    public EventFeed enter(UUID run) {
        lock.lock();
        try {
            EventFeed feed = feeds.computeIfAbsent(run, id -> new EventFeed(id, events.last(id)));
            feed.readers++;
            if (closed) {
                feed.close();
            }
            return feed;
        } finally {
            lock.unlock();
        }
    }

    /** Ends one use of a feed. */
    public void leave(EventFeed feed) {
        lock.lock();
        try {
            feed.readers--;
            if (feed.readers == 0) {
                feeds.remove(feed.run());
            }
        } finally {
            lock.unlock();
        }
    }

    @TransactionalEventListener
    void on(EventLog.Written event) {
        written.set(true);
    }

    /** Closes all feeds when the service stops. */
    @EventListener
    void on(ContextClosedEvent closing) {
        lock.lock();
        try {
            closed = true;
            feeds.values().forEach(EventFeed::close);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Runs at a fixed rate: a task with a fixed delay waits for the scheduler's pass, which may
     * take long.
     */
    @Scheduled(fixedRate = PERIOD_MILLIS)
    void poll() {
        if (!polling.tryLock()) {
            return;
        }
        try {
            boolean isDue = periods.incrementAndGet() % PERIODS_PER_POLL == 0;
            if (written.getAndSet(false) || isDue) {
                read();
            }
        } finally {
            polling.unlock();
        }
    }

    private void read() {
        Map<UUID, EventFeed> some = snapshot();
        if (some.isEmpty()) {
            return;
        }
        Map<UUID, List<Stored>> found =
                events
                        .after(
                                some.values().stream()
                                        .collect(
                                                Collectors.toMap(
                                                        EventFeed::run, EventFeed::latest)),
                                MAX_AT_ONCE)
                        .stream()
                        .collect(Collectors.groupingBy(Stored::run));
        found.forEach((run, more) -> {
            EventFeed feed = some.get(run);
            if (feed != null) {
                feed.add(more);
            }
            if (more.size() == MAX_AT_ONCE) {
                written.set(true);
            }
        });
    }

    /** Returns no feeds once the service stops, since its database may be gone. */
    private Map<UUID, EventFeed> snapshot() {
        lock.lock();
        try {
            return closed ? Map.of() : Map.copyOf(feeds);
        } finally {
            lock.unlock();
        }
    }
}
