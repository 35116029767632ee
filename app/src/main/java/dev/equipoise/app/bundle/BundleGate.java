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
 * Turns away who may not put a bundle into a project, and whoever comes while some are being read,
 * before anything of it is read into memory. It stands behind the security filters, and before the
 * one that reads bodies of requests with a key.
 */
@Component
@Order(-5)
class BundleGate extends OncePerRequestFilter {

    /** Where bundles are taken. */
    static final Pattern BUNDLES = Pattern.compile("/api/v1/projects/([^/]+)/bundles");

    /** Each is in memory as a whole, some of it twice. */
    private static final int MOST_AT_ONCE = 4;

    private final Projects projects;
    private final HandlerExceptionResolver errors;
    private final Semaphore room = new Semaphore(MOST_AT_ONCE);

    BundleGate(
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
            } catch (Problem refused) {
                errors.resolveException(request, response, null, refused);
                return;
            }
            takeIfThereIsRoom(request, response, chain);
            return;
        }
        chain.doFilter(request, response);
    }

    private void takeIfThereIsRoom(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (!room.tryAcquire()) {
            errors.resolveException(
                    request,
                    response,
                    null,
                    Problem.of(
                            ErrorCode.BUSY,
                            "%d bundles are being read: try again".formatted(MOST_AT_ONCE)));
            return;
        }
        try {
            chain.doFilter(request, response);
        } finally {
            room.release();
        }
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
