package dev.equipoise.app.bundle;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.account.Projects;
import dev.equipoise.app.account.Role;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.HandlerExceptionResolver;

/**
 * Rejects bundle uploads by callers without permission, and those above a number of concurrent
 * uploads, before the body is read into memory. This filter runs after the security filters and
 * before the idempotency filter, which reads bodies.
 */
@Component
@Order(-5)
class BundleUploadFilter extends OncePerRequestFilter {

    /** The path for uploads of bundles. */
    static final Pattern BUNDLES = Pattern.compile("/api/v1/projects/([^/]+)/bundles");

    /**
     * The maximum number of concurrent uploads: each bundle is completely in memory, and partly
     * twice.
     */
    private static final int MAX_CONCURRENT = 4;

    private final Projects projects;
    private final HandlerExceptionResolver errors;
    private final Semaphore permits = new Semaphore(MAX_CONCURRENT);

    BundleUploadFilter(
            Projects projects,
            @Qualifier("handlerExceptionResolver") HandlerExceptionResolver errors) {
        this.projects = projects;
        this.errors = errors;
    }

    @Override
    protected void doFilterInternal(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Matcher bundles = BUNDLES.matcher(request.getRequestURI());
        Authentication caller = SecurityContextHolder.getContext().getAuthentication();
        if (HttpMethod.POST.matches(request.getMethod())
                && bundles.matches()
                && caller != null
                && caller.getPrincipal() instanceof Caller.User user) {
            try {
                projects.require(user, Role.EDITOR, project(bundles.group(1)));
            } catch (Problem rejection) {
                errors.resolveException(request, response, null, rejection);
                return;
            }
            acceptWithPermit(request, response, chain);
            return;
        }
        chain.doFilter(request, response);
    }

    private void acceptWithPermit(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (!permits.tryAcquire()) {
            errors.resolveException(request, response, null, busy());
            return;
        }
        try {
            chain.doFilter(request, response);
        } finally {
            permits.release();
        }
    }

    private static Problem busy() {
        return Problem.of(
                ErrorCode.BUSY,
                "%d bundles, the maximum, are being read: try again".formatted(MAX_CONCURRENT));
    }

    private static UUID project(String id) {
        try {
            return UUID.fromString(id);
        } catch (IllegalArgumentException none) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST, "project must be of type UUID, but was " + id);
        }
    }
}
