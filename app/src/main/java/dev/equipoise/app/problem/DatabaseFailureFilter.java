package dev.equipoise.app.problem;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Answers requests that fail in a filter because of the database, as {@link ProblemAdvice} does for
 * controllers: the filters look up tokens and begin transactions. It runs around all of them.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 5)
class DatabaseFailureFilter extends OncePerRequestFilter {

    private final ProblemWriter problems;

    DatabaseFailureFilter(ProblemWriter problems) {
        this.problems = problems;
    }

    @Override
    protected void doFilterInternal(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        try {
            chain.doFilter(request, response);
        } catch (ServletException | RuntimeException failure) {
            // A started response must end visibly incomplete, except an event stream, which its
            // reader resumes.
            if (response.isCommitted() && request.getDispatcherType() != DispatcherType.ASYNC) {
                throw failure;
            }
            Optional<DatabaseFailure> known = DatabaseFailureLog.report(failure);
            if (known.isEmpty()) {
                throw failure;
            }
            if (!response.isCommitted()) {
                answer(request, response, known.get());
            }
        }
    }

    private void answer(
            HttpServletRequest request, HttpServletResponse response, DatabaseFailure failure)
            throws IOException {
        response.resetBuffer();
        response.setHeader(HttpHeaders.RETRY_AFTER, Integer.toString(failure.retryAfterSeconds()));
        problems.write(request, response, failure.code(), failure.detail());
    }

    /** Also covers the second dispatch of an asynchronous request, which is authenticated again. */
    @Override
    protected boolean shouldNotFilterAsyncDispatch() {
        return false;
    }
}
