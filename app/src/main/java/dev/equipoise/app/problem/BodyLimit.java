package dev.equipoise.app.problem;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Rejects bodies larger than the limit of their path, even if their length is not declared, bodies
 * that arrive too slowly, and bodies for which all others leave no memory.
 */
@Order(Ordered.HIGHEST_PRECEDENCE + 10)
class BodyLimit extends OncePerRequestFilter {

    static final int MAX_BYTES = 1 << 20;

    private static final BodyLimitExemption USUAL =
            new BodyLimitExemption(Pattern.compile(".*"), MAX_BYTES, false);

    private final ProblemWriter problems;
    private final List<BodyLimitExemption> exemptions;
    private final BodySettings settings;
    private final BodyBudget budget;
    private final LongSupplier nanos;

    /**
     * @param nanos a monotonic clock, in nanoseconds: a clock adjustment must not make a caller
     *     slow
     */
    BodyLimit(
            ProblemWriter problems,
            List<BodyLimitExemption> exemptions,
            BodySettings settings,
            LongSupplier nanos) {
        this.problems = problems;
        this.exemptions = List.copyOf(exemptions);
        this.settings = settings;
        this.budget = new BodyBudget(settings.memory().toBytes());
        this.nanos = nanos;
    }

    @Override
    protected void doFilterInternal(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Optional<BodyLimitExemption> exemption = exemption(ServicePath.of(request));
        BodyLimitExemption limits = exemption.orElse(USUAL);
        if (request.getContentLengthLong() > limits.mostBytes()) {
            problems.write(
                    request,
                    response,
                    ErrorCode.BODY_TOO_LARGE,
                    TimedBody.rule(limits.mostBytes()));
            return;
        }
        var limited =
                new LimitedRequest(request, limits, exemption.isEmpty(), settings, budget, nanos);
        try {
            chain.doFilter(limited, response);
        } finally {
            limited.release();
        }
    }

    private Optional<BodyLimitExemption> exemption(String path) {
        return exemptions.stream().filter(it -> it.at().matcher(path).matches()).findFirst();
    }
}
