package dev.equipoise.app.run;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.run.EventStreams.Leg;
import dev.equipoise.app.run.EventStreams.Reader;
import dev.equipoise.protocol.RunId;
import io.swagger.v3.oas.annotations.Hidden;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
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

/** What happens to runs, as a stream of server-sent events or page by page. */
@RestController
@RequestMapping("/api/v1")
class EventController {

    private static final Logger log = LoggerFactory.getLogger(EventController.class);
    private static final String READER = EventController.class.getName() + ".reader";

    private final EventStreams streams;

    EventController(EventStreams streams) {
        this.streams = streams;
    }

    /** An event of a run; ids grow. */
    @Schema(name = "ToldEvent")
    record ToldEvent(long id, Instant at, RunEvent event) {}

    /**
     * What follows an event.
     *
     * @param after what to ask for next
     * @param forgottenTo of the events up to this one, some of the fleeting ones are gone
     * @param over whether the run is over, and nothing follows
     */
    @Schema(name = "EventList")
    record EventList(List<ToldEvent> items, long after, long forgottenTo, boolean over) {}

    @ApiResponse(
            responseCode = "200",
            description =
                    "A page; a stream of the same items where text/event-stream is accepted, which"
                            + " goes on after the header Last-Event-ID",
            content = {
                @Content(
                        mediaType = MediaType.APPLICATION_JSON_VALUE,
                        schema = @Schema(implementation = EventList.class)),
                @Content(
                        mediaType = MediaType.TEXT_EVENT_STREAM_VALUE,
                        schema = @Schema(implementation = ToldEvent.class))
            })
    @ApiResponse(
            responseCode = "204",
            description = "Of a stream: the run is over, and nothing follows what was heard",
            content = @Content)
    @GetMapping("/runs/{id}/events")
    EventList events(
            @AuthenticationPrincipal Caller.User caller,
            @PathVariable UUID id,
            @RequestParam(defaultValue = "0") @Min(0) long after,
            @RequestParam(defaultValue = "100") @Min(1) @Max(500) int limit) {
        EventStreams.Page page = streams.page(caller, RunId.of(id), after, limit);
        List<ToldEvent> items =
                page.items().stream()
                        .map(it -> new ToldEvent(it.id(), it.at(), streams.read(it)))
                        .toList();
        return new EventList(
                items,
                items.isEmpty() ? after : items.getLast().id(),
                page.forgottenTo(),
                page.isOver());
    }

    /** The container sends the request through the filters again before each leg. */
    @Hidden
    @GetMapping(path = "/runs/{id}/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    void stream(
            @AuthenticationPrincipal Caller.User caller,
            @PathVariable UUID id,
            @RequestParam(defaultValue = "0") @Min(0) long after,
            @RequestHeader(name = "Last-Event-ID", required = false) @Min(0) @Nullable Long last,
            HttpServletRequest request,
            HttpServletResponse response)
            throws InterruptedException {
        if (request.getAttribute(READER) instanceof Reader reader) {
            goOn(caller, reader, request, response);
            return;
        }
        Optional<Reader> begun =
                streams.open(caller, RunId.of(id), Objects.requireNonNullElse(last, after));
        if (begun.isEmpty()) {
            response.setStatus(HttpServletResponse.SC_NO_CONTENT);
            return;
        }
        response.setContentType(MediaType.TEXT_EVENT_STREAM_VALUE);
        response.setCharacterEncoding(StandardCharsets.UTF_8);
        response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
        response.setHeader("X-Accel-Buffering", "no");
        request.setAttribute(READER, begun.get());
        goOn(caller, begun.get(), request, response);
    }

    private void goOn(
            Caller.User caller,
            Reader reader,
            HttpServletRequest request,
            HttpServletResponse response)
            throws InterruptedException {
        boolean goesOn = false;
        try {
            var out = new EventWriter(response.getOutputStream());
            goesOn = streams.serve(caller, reader, out) == Leg.GOES_ON;
        } catch (IOException gone) {
            log.debug("a reader of events has gone: {}", gone.getMessage());
        } catch (Problem refusal) {
            log.debug("a stream of events ends: {}", refusal.getMessage());
        } finally {
            if (!goesOn) {
                streams.leave(reader);
            }
        }
        if (goesOn) {
            AsyncContext next = request.startAsync();
            next.addListener(new Leaving(reader));
            next.dispatch();
        }
    }

    /** Whom the filters do not let through to another leg has left, too. */
    private final class Leaving implements AsyncListener {

        private final Reader reader;

        Leaving(Reader reader) {
            this.reader = reader;
        }

        /** Not where another leg was begun: that one has a listener of its own. */
        @Override
        public void onComplete(AsyncEvent event) {
            streams.leave(reader);
        }

        @Override
        public void onTimeout(AsyncEvent event) {}

        @Override
        public void onError(AsyncEvent event) {}

        @Override
        public void onStartAsync(AsyncEvent event) {}
    }
}
