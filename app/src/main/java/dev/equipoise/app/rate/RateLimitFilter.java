package dev.equipoise.app.rate;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.ProblemWriter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Answers 429 to who asks too often. It stands behind the security filters, as it counts by who
 * asks; who is nobody has been sent away before.
 */
@Component
@Order(-10)
class RateLimitFilter extends OncePerRequestFilter {

    private static final String LEFT = "RateLimit-Remaining";
    private static final String AGENT = "ROLE_AGENT";

    private final RateLimits limits;
    private final ProblemWriter problems;

    RateLimitFilter(RateLimits limits, ProblemWriter problems) {
        this.limits = limits;
        this.problems = problems;
    }

    @Override
    protected void doFilterInternal(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Authentication caller = SecurityContextHolder.getContext().getAuthentication();
        if (caller == null || caller instanceof AnonymousAuthenticationToken) {
            chain.doFilter(request, response);
            return;
        }
        RateLimits.Permit permit = limits.ask(kind(caller), who(caller));
        response.setHeader(LEFT, Long.toString(permit.left()));
        if (permit.isGiven()) {
            chain.doFilter(request, response);
        } else {
            response.setHeader(HttpHeaders.RETRY_AFTER, Long.toString(permit.waitSeconds()));
            problems.write(
                    request,
                    response,
                    ErrorCode.RATE_LIMITED,
                    "Too many requests: try again in %d s".formatted(permit.waitSeconds()));
        }
    }

    /** Not the name, which two tokens may have in common. */
    private static String who(Authentication caller) {
        return caller.getPrincipal() instanceof Counted counted
                ? counted.countedAs()
                : caller.getName();
    }

    private static RateLimits.Kind kind(Authentication caller) {
        return caller.getAuthorities().stream().anyMatch(it -> AGENT.equals(it.getAuthority()))
                ? RateLimits.Kind.AGENT
                : RateLimits.Kind.USER;
    }
}
