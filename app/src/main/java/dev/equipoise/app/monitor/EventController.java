package dev.equipoise.app.monitor;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.monitor.EventStreams.Reader;
import dev.equipoise.app.monitor.EventStreams.SegmentEnd;
import dev.equipoise.app.problem.DatabaseFailureLog;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.run.RunEvent;
import dev.equipoise.app.telemetry.EventLog;
import dev.equipoise.protocol.RunId;
import io.swagger.v3.oas.annotations.Hidden;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** API of run events, as a stream of server-sent events or page by page. */
@Tag(name = "Runs")
@RestController
@RequestMapping("/api/v1")
class EventController {

    private static final Logger log = LoggerFactory.getLogger(EventController.class);
    private static final String READER = EventController.class.getName() + ".reader";

    /** Points of a metrics event of a live stream: a chart has some hundreds for a whole run. */
    private static final int LIVE_POINTS = 10;

    private final EventStreams streams;

    EventController(EventStreams streams) {
        this.streams = streams;
    }

    /**
     * Numbered event of a run; ids ascend.
     *
     * @param id number of the event; later events have higher ones
     * @param at time of the event
     * @param event the event
     */
    record NumberedEvent(long id, Instant at, RunEvent event) {}

    /**
     * Page of events.
     *
     * @param items events of the page, oldest first
     * @param after id to pass as {@code after} in the next request
     * @param forgottenTo last id up to which short-lived events may be missing
     * @param over whether the run has ended and no event follows
     */
    @Schema(name = "EventList")
    record EventList(List<NumberedEvent> items, long after, long forgottenTo, boolean over) {}

    /**
     * Returns the events of a run, page by page or as a stream of server-sent events.
     *
     * @param after id of the last event that the caller has
     * @param limit most events of a page
     */
    @ApiResponse(
            responseCode = "200",
            description =
                    "A page of events; for Accept: text/event-stream, a stream of the same events"
                            + " that resumes after the header Last-Event-ID",
            content = {
                @Content(
                        mediaType = MediaType.APPLICATION_JSON_VALUE,
                        schema = @Schema(implementation = EventList.class)),
                @Content(
                        mediaType = MediaType.TEXT_EVENT_STREAM_VALUE,
                        schema = @Schema(implementation = NumberedEvent.class))
            })
    @ApiResponse(
            responseCode = "204",
            description = "Stream only: the run has ended and no event follows",
            content = @Content)
    @GetMapping("/runs/{id}/events")
    EventList listRunEvents(
            @AuthenticationPrincipal Caller.User caller,
            @PathVariable UUID id,
            @RequestParam(defaultValue = "0") @Min(0) long after,
            @RequestParam(defaultValue = "100") @Min(1) @Max(500) int limit) {
        EventStreams.Page page = streams.page(caller, RunId.of(id), after, limit);
        List<NumberedEvent> items = page.items().stream().map(this::numbered).toList();
        return new EventList(
                items,
                items.isEmpty() ? after : items.getLast().id(),
                page.forgottenTo(),
                page.isOver());
    }

    private NumberedEvent numbered(EventLog.Stored stored) {
        return new NumberedEvent(stored.id(), stored.at(), streams.read(stored));
    }

    /**
     * Serves one segment of a stream. The container sends the request through the filters again
     * before each segment.
     */
    @Hidden
    @GetMapping(path = "/runs/{id}/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    void stream(
            @AuthenticationPrincipal Caller.User caller,
            @PathVariable UUID id,
            @RequestParam(defaultValue = "0") @Min(0) long after,
            @RequestParam(defaultValue = "false") boolean live,
            @RequestHeader(name = "Last-Event-ID", required = false) @Min(0) @Nullable Long last,
            HttpServletRequest request,
            HttpServletResponse response)
            throws InterruptedException {
        if (request.getAttribute(READER) instanceof Reader reader) {
            serveSegment(caller, reader, request, response);
            return;
        }
        Optional<Reader> opened =
                live
                        ? streams.open(caller, RunId.of(id), last, LIVE_POINTS)
                        : streams.open(
                                caller,
                                RunId.of(id),
                                Objects.requireNonNullElse(last, after),
                                Integer.MAX_VALUE);
        if (opened.isEmpty()) {
            response.setStatus(HttpServletResponse.SC_NO_CONTENT);
            return;
        }
        response.setContentType(MediaType.TEXT_EVENT_STREAM_VALUE);
        response.setCharacterEncoding(StandardCharsets.UTF_8);
        response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
        response.setHeader("X-Accel-Buffering", "no");
        request.setAttribute(READER, opened.get());
        serveSegment(caller, opened.get(), request, response);
    }

    private void serveSegment(
            Caller.User caller,
            Reader reader,
            HttpServletRequest request,
            HttpServletResponse response)
            throws InterruptedException {
        boolean continues = false;
        try {
            var out = new EventWriter(response.getOutputStream());
            continues = streams.serve(caller, reader, out) == SegmentEnd.CONTINUES;
        } catch (IOException gone) {
            log.debug("event stream closed by its reader: {}", gone.getMessage());
        } catch (Problem rejection) {
            log.debug("event stream ended: {}", rejection.getMessage());
        } catch (RuntimeException failure) {
            // The reader of a started stream resumes it after the last event that it received.
            if (!response.isCommitted() || DatabaseFailureLog.report(failure).isEmpty()) {
                throw failure;
            }
        } finally {
            if (!continues) {
                streams.unregister(reader);
            }
        }
        if (continues) {
            AsyncContext next = request.startAsync();
            next.addListener(new UnregisterOnComplete(reader));
            next.dispatch();
        }
    }

    /** Unregisters a reader whose next segment the filters reject. */
    private final class UnregisterOnComplete implements AsyncListener {

        private final Reader reader;

        UnregisterOnComplete(Reader reader) {
            this.reader = reader;
        }

        /** Is not called if another segment was started: that segment has its own listener. */
        @Override
        public void onComplete(AsyncEvent event) {
            streams.unregister(reader);
        }

        @Override
        public void onTimeout(AsyncEvent event) {}

        @Override
        public void onError(AsyncEvent event) {}

        @Override
        public void onStartAsync(AsyncEvent event) {}
    }
}
