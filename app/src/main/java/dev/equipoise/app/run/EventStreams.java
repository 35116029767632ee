package dev.equipoise.app.run;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.equipoise.app.account.Caller;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.run.RunEvents.Stored;
import dev.equipoise.protocol.RunId;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.stereotype.Service;

/**
 * Tells those who follow a run what happens to it. A stream is served in legs that are as long as a
 * heartbeat: between two of them its caller is authenticated and its rights are looked at anew.
 */
@Service
class EventStreams {

    /** Of events that are older than the newest. */
    private static final int PAGE = 500;

    private final Runs runs;
    private final RunEvents events;
    private final EventFeeds feeds;
    private final StreamSettings settings;
    private final Ticker ticker;

    /** By user, or by token where it stands for itself. */
    private final Map<UUID, Integer> streams = new ConcurrentHashMap<>();

    EventStreams(
            Runs runs, RunEvents events, EventFeeds feeds, StreamSettings settings, Ticker ticker) {
        this.runs = runs;
        this.events = events;
        this.feeds = feeds;
        this.settings = settings;
        this.ticker = ticker;
    }

    /** What a reader has been told; one thread at a time uses it. */
    static final class Reader {

        private final UUID run;

        /** Under which it is counted until it leaves. */
        private final UUID caller;

        private final AtomicBoolean hasLeft = new AtomicBoolean();
        private long told;

        /** Whether a leg has begun. */
        private boolean isGreeted;

        /** Whether it has heard, in this leg, of all that was there. */
        private boolean isLive;

        private Reader(UUID run, UUID caller, long told) {
            this.run = run;
            this.caller = caller;
            this.told = told;
        }
    }

    /** What becomes of a stream after a leg. */
    enum Leg {
        /** Another one follows. */
        GOES_ON,
        /** All is told, or the reader must come again. */
        ENDS
    }

    /** For how long a leg lasts, by the ticker: a clock that is put back lengthens none. */
    private record Span(long begun, Duration length) {

        Duration left(long now) {
            return length.minusNanos(now - begun);
        }
    }

    /**
     * Some events of a run.
     *
     * @param forgottenTo up to this one, only some are there
     * @param isOver whether the run is over, and nothing follows the items
     */
    record Page(List<Stored> items, long forgottenTo, boolean isOver) {

        Page {
            items = List.copyOf(items);
        }
    }

    /**
     * What follows an event.
     *
     * @throws Problem {@code not-found} where there is no such run
     */
    Page page(Caller.User caller, RunId id, long after, int limit) {
        // The run first: what ends it is written with its state.
        Run run = runs.require(caller, id);
        List<Stored> items = events.after(run.id(), after, limit);
        return new Page(
                items,
                events.forgottenTo(run.id()),
                run.state().isTerminal() && items.size() < limit);
    }

    RunEvent read(Stored stored) {
        return events.read(stored);
    }

    /**
     * A reader of what follows an event, which counts until it {@link #leave leaves}; empty where
     * nothing follows, as the run is over.
     *
     * @throws Problem {@code not-found} where there is no such run, {@code too-many-streams} where
     *     the caller reads as many as it may
     */
    Optional<Reader> open(Caller.User caller, RunId id, long after) {
        // The run first: what ends it is written with its state.
        Run run = runs.require(caller, id);
        if (run.state().isTerminal() && events.last(run.id()) <= after) {
            return Optional.empty();
        }
        Reader reader = new Reader(run.id(), counted(caller), after);
        if (streams.merge(reader.caller, 1, Integer::sum) > settings.perCaller()) {
            leave(reader);
            throw Problem.of(
                    ErrorCode.TOO_MANY_STREAMS,
                    "A caller must read at most %d streams at once, but %s would read one more"
                            .formatted(settings.perCaller(), caller.getName()));
        }
        return Optional.of(reader);
    }

    /** That a reader is told nothing more; it may be said again. */
    void leave(Reader reader) {
        if (!reader.hasLeft.getAndSet(true)) {
            streams.computeIfPresent(reader.caller, (_, count) -> count == 1 ? null : count - 1);
        }
    }

    private static UUID counted(Caller.User caller) {
        return Objects.requireNonNullElse(caller.account(), caller.credential());
    }

    /**
     * Tells a reader for as long as a heartbeat.
     *
     * @throws Problem {@code not-found} where the caller may not see the run any more
     * @throws IOException where the reader has gone
     */
    Leg serve(Caller.User caller, Reader reader, EventWriter out)
            throws IOException, InterruptedException {
        runs.require(caller, RunId.of(reader.run));
        return serve(reader, out);
    }

    private Leg serve(Reader reader, EventWriter out) throws IOException, InterruptedException {
        EventFeed feed = feeds.enter(reader.run);
        try {
            greet(reader, out);
            return follow(feed, reader, out);
        } finally {
            feeds.leave(feed);
        }
    }

    private void greet(Reader reader, EventWriter out) throws IOException {
        if (!reader.isGreeted) {
            reader.isGreeted = true;
            out.retryAfter(1_000);
            long forgotten = events.forgottenTo(reader.run);
            if (reader.told < forgotten) {
                out.notice("forgotten", "{\"to\":%d}".formatted(forgotten));
            }
            out.flush();
        }
    }

    private Leg follow(EventFeed feed, Reader reader, EventWriter out)
            throws IOException, InterruptedException {
        Span leg = new Span(ticker.read(), settings.heartbeat());
        reader.isLive = false;
        for (Duration left = leg.left(ticker.read());
                left.isPositive();
                left = leg.left(ticker.read())) {
            boolean ends =
                    switch (feed.after(reader.told, left)) {
                        case EventFeed.Next.Events(var some) -> {
                            reader.isLive = true;
                            yield tell(some, leg, reader, out);
                        }
                        case EventFeed.Next.Nothing() -> {
                            reader.isLive = true;
                            yield false;
                        }
                        case EventFeed.Next.Older() ->
                                reader.isLive
                                        ? cutOff(reader, out)
                                        : catchUp(feed, leg, reader, out);
                        case EventFeed.Next.Closed() -> {
                            out.comment("the service stops");
                            out.flush();
                            yield true;
                        }
                    };
            if (ends) {
                return Leg.ENDS;
            }
        }
        out.comment("heartbeat");
        out.flush();
        return Leg.GOES_ON;
    }

    /** Who has heard of the newest events, and is not there any more when the next ones go. */
    private static boolean cutOff(Reader reader, EventWriter out) throws IOException {
        out.notice(
                "cut-off", "{\"reason\":\"too slow: come again after %d\"}".formatted(reader.told));
        out.flush();
        return true;
    }

    private boolean catchUp(EventFeed feed, Span leg, Reader reader, EventWriter out)
            throws IOException {
        List<Stored> page = events.after(reader.run, reader.told, PAGE);
        if (page.isEmpty()) {
            reader.told = feed.start();
        }
        return tell(page, leg, reader, out);
    }

    /**
     * Whether the last of them is the last of all. What is left when the leg is over, as the reader
     * is slow, is told in the next one, if the caller may still hear it.
     */
    private boolean tell(List<Stored> some, Span leg, Reader reader, EventWriter out)
            throws IOException {
        boolean isLast = false;
        for (Stored event : some) {
            out.event(event);
            reader.told = event.id();
            isLast = isLast(event);
            if (!leg.left(ticker.read()).isPositive()) {
                break;
            }
        }
        out.flush();
        return isLast;
    }

    private boolean isLast(Stored event) {
        return event.type().equals("state") && events.read(event).isLast();
    }
}
