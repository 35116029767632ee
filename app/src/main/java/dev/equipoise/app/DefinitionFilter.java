package dev.equipoise.app;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.ServicePath;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.HandlerExceptionResolver;

/**
 * Bounds the number of definitions that are parsed at the same time, since the tree of a definition
 * takes many times the bytes of its text. A request waits for its turn only when its body has
 * arrived. This filter runs after the security filters and before the idempotency filter, which
 * opens a transaction.
 */
@Component
@Order(-4)
class DefinitionFilter extends OncePerRequestFilter {

    private static final String PLANS = "/api/v1/plans";
    private static final Pattern DEFINITIONS =
            Pattern.compile(PLANS + "|/api/v1/(experiments/[^/]+|projects/[^/]+/experiments)");

    /** The trees of this many definitions with the maximum number of tokens take 50 MB. */
    private static final int MAX_CONCURRENT = 8;

    private static final int WAIT_SECONDS = 10;

    private final HandlerExceptionResolver errors;
    private final Semaphore definitions = new Semaphore(MAX_CONCURRENT, true);

    /** Plans have permits of their own: they are computed for seconds, one after another. */
    private final Semaphore plans = new Semaphore(MAX_CONCURRENT, true);

    DefinitionFilter(@Qualifier("handlerExceptionResolver") HandlerExceptionResolver errors) {
        this.errors = errors;
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return !(HttpMethod.POST.matches(request.getMethod())
                        || HttpMethod.PUT.matches(request.getMethod()))
                || !DEFINITIONS.matcher(ServicePath.of(request)).matches();
    }

    @Override
    protected void doFilterInternal(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Semaphore permits = ServicePath.of(request).equals(PLANS) ? plans : definitions;
        try {
            // Waits until the body is in memory.
            request.getInputStream();
            requirePermit(permits);
        } catch (Problem rejection) {
            errors.resolveException(request, response, null, rejection);
            return;
        }
        try {
            chain.doFilter(request, response);
        } finally {
            permits.release();
        }
    }

    private static void requirePermit(Semaphore permits) {
        try {
            if (permits.tryAcquire(WAIT_SECONDS, TimeUnit.SECONDS)) {
                return;
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        throw Problem.of(
                        ErrorCode.BUSY,
                        "%d definitions or plans, the maximum, are in progress: try again"
                                .formatted(MAX_CONCURRENT))
                .retryAfter(WAIT_SECONDS);
    }
}
