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
 * Answers 429 to callers that exceed their request rate, and tells all callers their limit by the
 * headers of draft-ietf-httpapi-ratelimit-headers-10. It runs after the security filters, since it
 * counts by caller; they have already rejected unauthenticated requests.
 */
@Component
@Order(-10)
class RateLimitFilter extends OncePerRequestFilter {

    private static final String POLICY = "RateLimit-Policy";
    private static final String LIMIT = "RateLimit";
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
        RateLimits.Permit permit = limits.ask(kind(caller), subject(caller));
        response.setHeader(POLICY, permit.policy().header());
        response.setHeader(LIMIT, permit.header());
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

    /** Returns the subject whose requests are counted; not the name, which two tokens may share. */
    private static String subject(Authentication caller) {
        return caller.getPrincipal() instanceof RateLimitSubject counted
                ? counted.countedAs()
                : caller.getName();
    }

    private static RateLimits.Kind kind(Authentication caller) {
        return caller.getAuthorities().stream().anyMatch(it -> AGENT.equals(it.getAuthority()))
                ? RateLimits.Kind.AGENT
                : RateLimits.Kind.USER;
    }
}
