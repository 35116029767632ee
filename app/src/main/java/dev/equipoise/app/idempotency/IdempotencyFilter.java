package dev.equipoise.app.idempotency;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.ProblemWriter;
import dev.equipoise.app.problem.RepeatedWhenOutrun;
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
 * Does what a request with an {@code Idempotency-Key} wants once, however often it is sent: the
 * answer is kept in the transaction that has the effect, so that there is never one without the
 * other. What is refused has no effect, and its key stays free. It stands behind the security
 * filters.
 */
@Component
@Order(0)
class IdempotencyFilter extends OncePerRequestFilter {

    private static final String KEY = "Idempotency-Key";
    private static final String REPLAYED = "Idempotency-Replayed";
    private static final List<String> OF_AGENTS = List.of("/api/v1/agents", "/api/v1/assignments");

    /** Each has a connection to the database all the while, and others need some as well. */
    private static final int MOST_AT_ONCE = 5;

    private static final int PATIENCE_SECONDS = 10;

    /** As often as without a key. */
    private static final int MOST_ATTEMPTS = 6;

    /** They keep nothing, and compute for seconds while a transaction would be open. */
    private static final List<String> WITHOUT_EFFECT =
            List.of("/api/v1/plans", "/api/v1/experiments/validate");

    private final KeptAnswers answers;
    private final PlatformTransactionManager transactions;
    private final HandlerExceptionResolver errors;
    private final ProblemWriter problems;
    private final SecureRandom random;
    private final Semaphore room = new Semaphore(MOST_AT_ONCE);

    IdempotencyFilter(
            KeptAnswers answers,
            PlatformTransactionManager transactions,
            @Qualifier("handlerExceptionResolver") HandlerExceptionResolver errors,
            ProblemWriter problems,
            SecureRandom random) {
        this.answers = answers;
        this.transactions = transactions;
        this.errors = errors;
        this.problems = problems;
        this.random = random;
    }

    /**
     * Without a token there is nobody whose key it could be. What agents say has numbers of its
     * own, and some of it is answered long after, when no transaction must be open.
     */
    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return !HttpMethod.POST.matches(request.getMethod())
                || request.getHeader(KEY) == null
                || credential().isEmpty()
                || WITHOUT_EFFECT.contains(request.getRequestURI())
                || OF_AGENTS.stream().anyMatch(request.getRequestURI()::startsWith);
    }

    @Override
    protected void doFilterInternal(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String key = request.getHeader(KEY);
        Optional<String> rule = KeptAnswers.rule(key);
        if (rule.isPresent()) {
            problems.write(request, response, ErrorCode.INVALID_REQUEST, rule.get());
            return;
        }
        RepeatedRequest repeated;
        try {
            repeated = RepeatedRequest.of(request);
        } catch (Problem tooLarge) {
            problems.write(
                    request, response, tooLarge.code(), String.valueOf(tooLarge.getMessage()));
            return;
        }
        if (!hasRoom()) {
            problems.write(
                    request,
                    response,
                    ErrorCode.BUSY,
                    "%d requests with a key are under way: try again".formatted(MOST_AT_ONCE));
            return;
        }
        try {
            answer(key, repeated, new ContentCachingResponseWrapper(response), chain);
        } finally {
            room.release();
        }
    }

    /** Waits for it, which holds nothing. */
    private boolean hasRoom() {
        try {
            return room.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** The token or session that the request goes by. */
    private static Optional<String> credential() {
        Authentication caller = SecurityContextHolder.getContext().getAuthentication();
        return caller != null && caller.getCredentials() instanceof String text
                ? Optional.of(text)
                : Optional.empty();
    }

    /** Again where another transaction was first to change the same rows: nothing is done then. */
    private void answer(
            String key,
            RepeatedRequest request,
            ContentCachingResponseWrapper response,
            FilterChain chain)
            throws ServletException, IOException {
        for (int left = MOST_ATTEMPTS; left > 0; left--) {
            request.removeAttribute(RepeatedWhenOutrun.OUTRUN);
            response.resetBuffer();
            response.setStatus(HttpServletResponse.SC_OK);
            attempt(key, request, response, chain);
            if (request.getAttribute(RepeatedWhenOutrun.OUTRUN) == null) {
                break;
            }
        }
        response.copyBodyToResponse();
    }

    private void attempt(
            String key,
            RepeatedRequest request,
            ContentCachingResponseWrapper response,
            FilterChain chain)
            throws ServletException, IOException {
        var seal = new Seal(credential().orElseThrow(), random);
        TransactionStatus transaction =
                transactions.getTransaction(
                        new DefaultTransactionDefinition(
                                TransactionDefinition.PROPAGATION_REQUIRES_NEW));
        try {
            switch (answers.claim(seal, key, request.fingerprint())) {
                case KeptAnswers.Known.Claimed _ -> {
                    chain.doFilter(request, response);
                    if (HttpStatus.valueOf(response.getStatus()).isError()) {
                        transactions.rollback(transaction);
                    } else {
                        answers.keep(seal, key, kept(response));
                        transactions.commit(transaction);
                    }
                }
                case KeptAnswers.Known.Answered(var answer) -> {
                    transactions.rollback(transaction);
                    replay(answer, response);
                }
                case KeptAnswers.Known.Other _ -> {
                    transactions.rollback(transaction);
                    problems.write(
                            request,
                            response,
                            ErrorCode.KEY_REUSED,
                            "%s was sent with another request before".formatted(KEY));
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

    private static KeptAnswer kept(ContentCachingResponseWrapper response) {
        return new KeptAnswer(
                response.getStatus(),
                response.getContentType(),
                response.getHeader(HttpHeaders.LOCATION),
                new KeptAnswer.Body(response.getContentAsByteArray()));
    }

    private static void replay(KeptAnswer answer, HttpServletResponse response) throws IOException {
        response.setStatus(answer.status());
        response.setContentType(answer.contentType());
        response.setHeader(REPLAYED, "true");
        if (answer.location() != null) {
            response.setHeader(HttpHeaders.LOCATION, answer.location());
        }
        response.getOutputStream().write(answer.body().bytes());
    }
}
