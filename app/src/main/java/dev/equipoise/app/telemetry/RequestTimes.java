package dev.equipoise.app.telemetry;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.HandlerMapping;

/**
 * How long requests take, from the first filter to the end of the answer, under the name and the
 * tags that Spring's own observations give them. These make half a dozen objects and ask as many
 * conventions for each request; this looks up a timer in a map.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
class RequestTimes extends OncePerRequestFilter {

    private static final String NAME = "http.server.requests";
    private static final String NOWHERE = "UNKNOWN";

    /** Anybody can make up others. */
    private static final Set<String> METHODS =
            Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");

    private final MeterRegistry meters;
    private final Clock clock;
    private final Map<Kind, Timer> timers = new ConcurrentHashMap<>();

    RequestTimes(MeterRegistry meters) {
        this.meters = meters;
        this.clock = meters.config().clock();
    }

    /** As many as there are templates of paths, methods and statuses. */
    private record Kind(String method, String path, int status) {}

    @Override
    protected void doFilterInternal(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        long begun = clock.monotonicTime();
        boolean isAnswered = false;
        try {
            chain.doFilter(request, response);
            isAnswered = true;
        } finally {
            if (request.isAsyncStarted()) {
                request.getAsyncContext().addListener(new AtItsEnd(begun, request, response));
            } else {
                record(
                        begun,
                        request,
                        isAnswered
                                ? response.getStatus()
                                : HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
            }
        }
    }

    private void record(long begun, HttpServletRequest request, int status) {
        String method = request.getMethod();
        Object path = request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
        timers.computeIfAbsent(
                        new Kind(
                                METHODS.contains(method) ? method : NOWHERE,
                                path == null ? NOWHERE : path.toString(),
                                status),
                        this::timer)
                .record(clock.monotonicTime() - begun, TimeUnit.NANOSECONDS);
    }

    private Timer timer(Kind kind) {
        return Timer.builder(NAME)
                .description("How long requests took")
                .tag("method", kind.method())
                .tag("uri", kind.path())
                .tag("status", Integer.toString(kind.status()))
                .register(meters);
    }

    /** Of a request that waits for something, or a stream. */
    private final class AtItsEnd implements AsyncListener {

        private final long begun;
        private final HttpServletRequest request;
        private final HttpServletResponse response;

        AtItsEnd(long begun, HttpServletRequest request, HttpServletResponse response) {
            this.begun = begun;
            this.request = request;
            this.response = response;
        }

        @Override
        public void onComplete(AsyncEvent event) {
            record(begun, request, response.getStatus());
        }

        @Override
        public void onTimeout(AsyncEvent event) {}

        @Override
        public void onError(AsyncEvent event) {}

        @Override
        public void onStartAsync(AsyncEvent event) {
            event.getAsyncContext().addListener(this);
        }
    }
}
