package dev.equipoise.app.run;

import dev.equipoise.app.run.RunEvents.Stored;
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
 * Looks for new events of all runs that somebody follows, with one query: twice a second, as
 * another instance of the service may have written some, and as soon as this one has.
 */
@Component
class EventFeeds {

    /** So many milliseconds pass at least between two looks. */
    private static final int PERIOD = 50;

    /** Every so many-th period there is a look whether or not this instance has written. */
    private static final int LOOKS_AROUND = 10;

    /** Of each run at once; the next follow with the next look. */
    private static final int MOST_AT_ONCE = 256;

    private final RunEvents events;
    private final Lock looking = new ReentrantLock();
    private final Lock lock = new ReentrantLock();
    private final Map<UUID, EventFeed> feeds = new HashMap<>();
    private final AtomicBoolean written = new AtomicBoolean();
    private final AtomicLong periods = new AtomicLong();
    private boolean closed;

    EventFeeds(RunEvents events) {
        this.events = events;
    }

    /** That of a run, to be left by everybody who has entered it. */
    EventFeed enter(UUID run) {
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

    void leave(EventFeed feed) {
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
    void on(RunEvents.Written told) {
        written.set(true);
    }

    /** Lets everybody go: the service stops. */
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

    /** At a rate: what has a delay waits for the scheduler's pass, which may take long. */
    @Scheduled(fixedRate = PERIOD)
    void look() {
        if (!looking.tryLock()) {
            return;
        }
        try {
            boolean around = periods.incrementAndGet() % LOOKS_AROUND == 0;
            if (written.getAndSet(false) || around) {
                read();
            }
        } finally {
            looking.unlock();
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
                                MOST_AT_ONCE)
                        .stream()
                        .collect(Collectors.groupingBy(Stored::run));
        found.forEach((run, more) -> {
            EventFeed feed = some.get(run);
            if (feed != null) {
                feed.add(more);
            }
            if (more.size() == MOST_AT_ONCE) {
                written.set(true);
            }
        });
    }

    /** None once the service stops: its database may be gone. */
    private Map<UUID, EventFeed> snapshot() {
        lock.lock();
        try {
            return closed ? Map.of() : Map.copyOf(feeds);
        } finally {
            lock.unlock();
        }
    }
}
