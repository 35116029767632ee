package dev.equipoise.app.observability;

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
 * Times requests from the first filter to the end of the response, under the name and tags of
 * Spring's own observations. Spring makes half a dozen objects and queries as many conventions for
 * each request; this filter looks up a timer in a map.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
class RequestTimes extends OncePerRequestFilter {

    private static final String NAME = "http.server.requests";
    private static final String UNKNOWN = "UNKNOWN";

    /** Methods with a tag value of their own, since clients can invent others. */
    private static final Set<String> METHODS =
            Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");

    private final MeterRegistry meters;
    private final Clock clock;
    private final Map<Kind, Timer> timers = new ConcurrentHashMap<>();

    RequestTimes(MeterRegistry meters) {
        this.meters = meters;
        this.clock = meters.config().clock();
    }

    /** Key of a timer; the number of path templates, methods and statuses bounds the keys. */
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
                request.getAsyncContext().addListener(new OnComplete(begun, request, response));
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
                                METHODS.contains(method) ? method : UNKNOWN,
                                path == null ? UNKNOWN : path.toString(),
                                status),
                        this::timer)
                .record(clock.monotonicTime() - begun, TimeUnit.NANOSECONDS);
    }

    private Timer timer(Kind kind) {
        return Timer.builder(NAME)
                .description("Duration of requests")
                .tag("method", kind.method())
                .tag("uri", kind.path())
                .tag("status", Integer.toString(kind.status()))
                .register(meters);
    }

    /** Times an asynchronous request: a long poll or a stream. */
    private final class OnComplete implements AsyncListener {

        private final long begun;
        private final HttpServletRequest request;
        private final HttpServletResponse response;

        OnComplete(long begun, HttpServletRequest request, HttpServletResponse response) {
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
