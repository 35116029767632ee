package dev.equipoise.app.monitor;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.equipoise.app.account.Caller;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.run.RunEvent;
import dev.equipoise.app.run.RunEvents;
import dev.equipoise.app.run.RunSnapshot;
import dev.equipoise.app.run.Runs;
import dev.equipoise.app.telemetry.EventFeed;
import dev.equipoise.app.telemetry.EventFeeds;
import dev.equipoise.app.telemetry.EventLog;
import dev.equipoise.app.telemetry.EventLog.Stored;
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
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/**
 * Streams run events to readers. A stream is served in segments as long as a heartbeat: between two
 * segments the caller is authenticated and authorized again.
 */
@Service
class EventStreams {

    /** Page size for events that are older than the window of the feed. */
    private static final int PAGE = 500;

    private final Runs runs;
    private final RunEvents runEvents;
    private final EventLog log;
    private final EventFeeds feeds;
    private final StreamSettings settings;
    private final Ticker ticker;

    /** Open streams by user, or by token for a service account token. */
    private final Map<UUID, Integer> streams = new ConcurrentHashMap<>();

    EventStreams(
            Runs runs,
            RunEvents runEvents,
            EventLog log,
            EventFeeds feeds,
            StreamSettings settings,
            Ticker ticker) {
        this.runs = runs;
        this.runEvents = runEvents;
        this.log = log;
        this.feeds = feeds;
        this.settings = settings;
        this.ticker = ticker;
    }

    /** Position of one reader in the events of a run. One thread at a time uses it. */
    static final class Reader {

        private final UUID run;

        /** Key under which the reader is counted until it is unregistered. */
        private final UUID caller;

        /** Limit of the points of a metrics event. */
        private final int mostPoints;

        private final AtomicBoolean isUnregistered = new AtomicBoolean();
        private long lastId;

        /** Whether a segment has begun. */
        private boolean isStarted;

        /** Whether the reader has caught up with the feed in this segment. */
        private boolean isLive;

        private Reader(UUID run, UUID caller, int mostPoints, long lastId) {
            this.run = run;
            this.caller = caller;
            this.mostPoints = mostPoints;
            this.lastId = lastId;
        }
    }

    /** Outcome of a segment of a stream. */
    enum SegmentEnd {
        /** Another segment follows. */
        CONTINUES,
        /** The run has ended, or the reader must reconnect. */
        ENDS
    }

    /**
     * Bounds of a segment, measured by the ticker so that setting the clock back lengthens no
     * segment.
     */
    private record Span(long begun, Duration length) {

        Duration left(long now) {
            return length.minusNanos(now - begun);
        }
    }

    /**
     * Page of the events of a run.
     *
     * @param forgottenTo last id up to which short-lived events may be missing
     * @param isOver whether the run has ended and no event follows the items
     */
    record Page(List<Stored> items, long forgottenTo, boolean isOver) {

        Page {
            items = List.copyOf(items);
        }
    }

    /**
     * Returns the events after an id.
     *
     * @throws Problem {@code not-found} if the run does not exist
     */
    Page page(Caller.User caller, RunId id, long after, int limit) {
        // Reads the run first: its last event is written together with its state.
        RunSnapshot run = runs.snapshot(caller, id);
        List<Stored> items = log.after(id.value(), after, limit);
        return new Page(
                items,
                log.forgottenTo(id.value()),
                run.state().isTerminal() && items.size() < limit);
    }

    RunEvent read(Stored stored) {
        return runEvents.read(stored);
    }

    /**
     * Opens a reader of the events after an id, which counts until it is {@link #unregister
     * unregistered}; empty if the run has ended and no event follows.
     *
     * @param after null to begin with the next event
     * @param mostPoints limit of the points of a metrics event, at least 1
     * @throws Problem {@code not-found} if the run does not exist, {@code too-many-streams} if the
     *     caller has reached its limit of streams
     */
    Optional<Reader> open(Caller.User caller, RunId id, @Nullable Long after, int mostPoints) {
        // Reads the last id before the run: if the run is still open then, its last event follows.
        long known = after == null ? log.last(id.value()) : after;
        // Reads the run before the end of its log: its state is written with its last event.
        RunSnapshot run = runs.snapshot(caller, id);
        if (run.state().isTerminal() && log.last(id.value()) <= known) {
            return Optional.empty();
        }
        Reader reader = new Reader(id.value(), counted(caller), mostPoints, known);
        register(reader, caller);
        return Optional.of(reader);
    }

    /** Counts a reader until it is unregistered. */
    private void register(Reader reader, Caller.User caller) {
        if (streams.merge(reader.caller, 1, Integer::sum) > settings.perCaller()) {
            unregister(reader);
            throw Problem.of(
                            ErrorCode.TOO_MANY_STREAMS,
                            "%s already reads %d event streams, the limit: close one first"
                                    .formatted(caller.getName(), settings.perCaller()))
                    .retryAfter(settings.secondsToNoticeClose());
        }
    }

    /** Stops counting a reader. Idempotent. */
    void unregister(Reader reader) {
        if (!reader.isUnregistered.getAndSet(true)) {
            streams.computeIfPresent(reader.caller, (_, count) -> count == 1 ? null : count - 1);
        }
    }

    private static UUID counted(Caller.User caller) {
        return Objects.requireNonNullElse(caller.account(), caller.credential());
    }

    /**
     * Serves one segment.
     *
     * @throws Problem {@code not-found} if the caller may no longer see the run
     * @throws IOException if the reader has disconnected
     */
    SegmentEnd serve(Caller.User caller, Reader reader, EventWriter out)
            throws IOException, InterruptedException {
        runs.snapshot(caller, RunId.of(reader.run));
        return serve(reader, out);
    }

    private SegmentEnd serve(Reader reader, EventWriter out)
            throws IOException, InterruptedException {
        EventFeed feed = feeds.enter(reader.run);
        try {
            start(reader, out);
            return follow(feed, reader, out);
        } finally {
            feeds.leave(feed);
        }
    }

    private void start(Reader reader, EventWriter out) throws IOException {
        if (!reader.isStarted) {
            reader.isStarted = true;
            out.retryAfter(1_000);
            long forgotten = log.forgottenTo(reader.run);
            if (reader.lastId < forgotten) {
                out.notice("forgotten", "{\"to\":%d}".formatted(forgotten));
            }
            out.flush();
        }
    }

    private SegmentEnd follow(EventFeed feed, Reader reader, EventWriter out)
            throws IOException, InterruptedException {
        Span segment = new Span(ticker.read(), settings.heartbeat());
        reader.isLive = false;
        for (Duration left = segment.left(ticker.read());
                left.isPositive();
                left = segment.left(ticker.read())) {
            boolean ends =
                    switch (feed.after(reader.lastId, left)) {
                        case EventFeed.Next.Events(var some) -> {
                            reader.isLive = true;
                            yield write(some, segment, reader, out);
                        }
                        case EventFeed.Next.Nothing() -> {
                            reader.isLive = true;
                            yield false;
                        }
                        case EventFeed.Next.Older() ->
                                reader.isLive
                                        ? cutOff(reader, out)
                                        : catchUp(feed, segment, reader, out);
                        case EventFeed.Next.Closed() -> {
                            out.comment("the service is stopping");
                            out.flush();
                            yield true;
                        }
                    };
            if (ends) {
                return SegmentEnd.ENDS;
            }
        }
        out.comment("heartbeat");
        out.flush();
        return SegmentEnd.CONTINUES;
    }

    /**
     * Ends the stream of a reader that had caught up with the feed and then fell behind its window.
     */
    private static boolean cutOff(Reader reader, EventWriter out) throws IOException {
        out.notice(
                "cut-off", "{\"reason\":\"too slow: resume after %d\"}".formatted(reader.lastId));
        out.flush();
        return true;
    }

    private boolean catchUp(EventFeed feed, Span segment, Reader reader, EventWriter out)
            throws IOException {
        List<Stored> page = log.after(reader.run, reader.lastId, PAGE);
        if (page.isEmpty()) {
            reader.lastId = feed.start();
        }
        return write(page, segment, reader, out);
    }

    /**
     * Writes events and returns whether the last one written ends the run. Events that do not fit
     * into the segment, because the reader is slow, follow in the next segment, if the caller may
     * still see the run.
     */
    private boolean write(List<Stored> some, Span segment, Reader reader, EventWriter out)
            throws IOException {
        boolean isLast = false;
        for (Stored event : some) {
            out.event(runEvents.thinned(event, reader.mostPoints));
            reader.lastId = event.id();
            isLast = isLast(event);
            if (!segment.left(ticker.read()).isPositive()) {
                break;
            }
        }
        out.flush();
        return isLast;
    }

    private boolean isLast(Stored event) {
        return event.type().equals(RunEvent.STATE) && runEvents.read(event).isLast();
    }
}
