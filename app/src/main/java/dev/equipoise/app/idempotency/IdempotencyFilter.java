package dev.equipoise.app.idempotency;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.ProblemWriter;
import dev.equipoise.app.problem.RetryOnConflict;
import dev.equipoise.app.problem.ServicePath;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.util.ContentCachingResponseWrapper;

/**
 * Executes a request with an {@code Idempotency-Key} once, however often it is sent. The response
 * is stored in the transaction of the effect, so that neither exists without the other. A rejected
 * request has no effect, and its key stays free. This filter runs after the security filters.
 */
@Component
@Order(0)
class IdempotencyFilter extends OncePerRequestFilter {

    private static final String KEY = "Idempotency-Key";
    private static final String REPLAYED = "Idempotency-Replayed";
    private static final List<String> AGENT_PATHS =
            List.of("/api/v1/agents", "/api/v1/assignments");

    /**
     * The limit of concurrent requests: each holds a database connection, and other requests need
     * some.
     */
    private static final int MAX_CONCURRENT = 5;

    private static final int WAIT_SECONDS = 10;

    /** Limit of the attempts, that of a request without a key. */
    private static final int MAX_ATTEMPTS = 6;

    /**
     * Calls that store nothing; they compute for seconds, during which a transaction would be open.
     */
    private static final List<String> WITHOUT_EFFECT =
            List.of("/api/v1/plans", "/api/v1/experiments/validate");

    /** Signing in sets a cookie, which no stored response has. */
    private static final String SIGN_IN = "/api/v1/session";

    private final StoredResponses responses;
    private final PlatformTransactionManager transactions;
    private final HandlerExceptionResolver errors;
    private final ProblemWriter problems;
    private final SecureRandom random;
    private final Semaphore permits = new Semaphore(MAX_CONCURRENT);

    IdempotencyFilter(
            StoredResponses responses,
            PlatformTransactionManager transactions,
            @Qualifier("handlerExceptionResolver") HandlerExceptionResolver errors,
            ProblemWriter problems,
            SecureRandom random) {
        this.responses = responses;
        this.transactions = transactions;
        this.errors = errors;
        this.problems = problems;
        this.random = random;
    }

    /**
     * Skips requests without a credential, which have no owner of a key, sign-ins, and requests of
     * agents: reports have numbers of their own, and long polls must not keep a transaction open.
     */
    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return !HttpMethod.POST.matches(request.getMethod())
                || request.getHeader(KEY) == null
                || credential().isEmpty()
                || isLeftOut(ServicePath.of(request));
    }

    private static boolean isLeftOut(String path) {
        return path.equals(SIGN_IN)
                || WITHOUT_EFFECT.contains(path)
                || AGENT_PATHS.stream().anyMatch(path::startsWith);
    }

    @Override
    protected void doFilterInternal(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String key = request.getHeader(KEY);
        Optional<String> rule = StoredResponses.rule(key);
        if (rule.isPresent()) {
            problems.write(request, response, ErrorCode.INVALID_REQUEST, rule.get());
            return;
        }
        BufferedRequest repeated;
        try {
            repeated = BufferedRequest.of(request);
        } catch (Problem unreadable) {
            errors.resolveException(request, response, null, unreadable);
            return;
        }
        if (!hasPermit()) {
            problems.write(
                    request,
                    response,
                    ErrorCode.BUSY,
                    "%d requests with an Idempotency-Key, the maximum, are in progress: try again"
                            .formatted(MAX_CONCURRENT));
            return;
        }
        try {
            answer(key, repeated, new ContentCachingResponseWrapper(response), chain);
        } finally {
            permits.release();
        }
    }

    /** Waits for a permit; the wait holds no connection. */
    private boolean hasPermit() {
        try {
            return permits.tryAcquire(WAIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Returns the token or session that authenticates the request. */
    private static Optional<String> credential() {
        Authentication caller = SecurityContextHolder.getContext().getAuthentication();
        return caller != null && caller.getCredentials() instanceof String text
                ? Optional.of(text)
                : Optional.empty();
    }

    /** Repeats the request after a conflict with another transaction, which leaves no effect. */
    private void answer(
            String key,
            BufferedRequest request,
            ContentCachingResponseWrapper response,
            FilterChain chain)
            throws ServletException, IOException {
        for (int attempts = MAX_ATTEMPTS; attempts > 0; attempts--) {
            startOver(request, response);
            attempt(key, request, response, chain);
            if (request.getAttribute(RetryOnConflict.OUTRUN) == null) {
                break;
            }
        }
        response.copyBodyToResponse();
    }

    private static void startOver(BufferedRequest request, HttpServletResponse response) {
        request.removeAttribute(RetryOnConflict.OUTRUN);
        response.resetBuffer();
        // Null removes the header of the attempt before.
        response.setHeader(HttpHeaders.RETRY_AFTER, null);
        response.setStatus(HttpServletResponse.SC_OK);
    }

    private void attempt(
            String key,
            BufferedRequest request,
            ContentCachingResponseWrapper response,
            FilterChain chain)
            throws ServletException, IOException {
        var seal = new ResponseSealer(credential().orElseThrow(), random);
        TransactionStatus transaction =
                transactions.getTransaction(
                        new DefaultTransactionDefinition(
                                TransactionDefinition.PROPAGATION_REQUIRES_NEW));
        try {
            switch (responses.claim(seal, key, request.fingerprint())) {
                case StoredResponses.Known.Claimed _ -> {
                    chain.doFilter(request, response);
                    if (HttpStatus.valueOf(response.getStatus()).isError()) {
                        transactions.rollback(transaction);
                    } else {
                        responses.keep(seal, key, stored(response));
                        transactions.commit(transaction);
                    }
                }
                case StoredResponses.Known.Answered(var stored) -> {
                    transactions.rollback(transaction);
                    replay(stored, response);
                }
                case StoredResponses.Known.Other _ -> {
                    transactions.rollback(transaction);
                    problems.write(
                            request,
                            response,
                            ErrorCode.KEY_REUSED,
                            "%s was already sent with another request: choose another key"
                                    .formatted(KEY));
                }
            }
        } catch (ServletException | IOException | RuntimeException failure) {
            rollBack(transaction);
            response.reset();
            if (errors.resolveException(request, response, null, failure) == null) {
                throw failure;
            }
        }
    }

    private void rollBack(TransactionStatus transaction) {
        if (!transaction.isCompleted()) {
            transactions.rollback(transaction);
        }
    }

    private static StoredResponse stored(ContentCachingResponseWrapper response) {
        return new StoredResponse(
                response.getStatus(),
                response.getContentType(),
                response.getHeader(HttpHeaders.LOCATION),
                new StoredResponse.Body(response.getContentAsByteArray()));
    }

    private static void replay(StoredResponse stored, HttpServletResponse response)
            throws IOException {
        response.setStatus(stored.status());
        response.setContentType(stored.contentType());
        response.setHeader(REPLAYED, "true");
        if (stored.location() != null) {
            response.setHeader(HttpHeaders.LOCATION, stored.location());
        }
        response.getOutputStream().write(stored.body().bytes());
    }
}
