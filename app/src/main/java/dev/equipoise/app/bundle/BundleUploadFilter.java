package dev.equipoise.app.bundle;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.account.Projects;
import dev.equipoise.app.account.Role;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.ServicePath;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
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
 * Rejects bundle uploads by callers without permission and a second one of a project before the
 * body is read into memory, and those above a number of concurrent imports after it: a slow upload
 * delays only its own project. This filter runs after the security filters and before the
 * idempotency filter, which opens a transaction.
 */
@Component
@Order(-5)
class BundleUploadFilter extends OncePerRequestFilter {

    /** The path for uploads of bundles. */
    static final Pattern BUNDLES = Pattern.compile("/api/v1/projects/([^/]+)/bundles");

    /** The maximum number of concurrent imports: each bundle is partly twice in memory. */
    private static final int MAX_CONCURRENT = 4;

    private static final int RETRY_AFTER_SECONDS = 5;

    private final Projects projects;
    private final HandlerExceptionResolver errors;
    private final Semaphore permits = new Semaphore(MAX_CONCURRENT);
    private final Set<UUID> uploading = ConcurrentHashMap.newKeySet();

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
        Matcher bundles = BUNDLES.matcher(ServicePath.of(request));
        Authentication caller = SecurityContextHolder.getContext().getAuthentication();
        if (HttpMethod.POST.matches(request.getMethod())
                && bundles.matches()
                && caller != null
                && caller.getPrincipal() instanceof Caller.User user) {
            try {
                UUID project = project(bundles.group(1));
                projects.require(user, Role.EDITOR, project);
                acceptOneOf(project, request, response, chain);
            } catch (Problem rejection) {
                errors.resolveException(request, response, null, rejection);
            }
            return;
        }
        chain.doFilter(request, response);
    }

    private void acceptOneOf(
            UUID project,
            HttpServletRequest request,
            HttpServletResponse response,
            FilterChain chain)
            throws ServletException, IOException {
        if (!uploading.add(project)) {
            throw busy("another bundle of project %s is being uploaded".formatted(project));
        }
        try {
            // Waits until the body is in memory.
            request.getInputStream();
            acceptWithPermit(request, response, chain);
        } finally {
            uploading.remove(project);
        }
    }

    private void acceptWithPermit(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (!permits.tryAcquire()) {
            throw busy("%d bundles, the maximum, are being read".formatted(MAX_CONCURRENT));
        }
        try {
            chain.doFilter(request, response);
        } finally {
            permits.release();
        }
    }

    private static Problem busy(String what) {
        return Problem.of(ErrorCode.BUSY, what + ": try again").retryAfter(RETRY_AFTER_SECONDS);
    }

    private static UUID project(String id) {
        try {
            return UUID.fromString(id);
        } catch (IllegalArgumentException none) {
            throw Problem.of(ErrorCode.INVALID_REQUEST, "project must be a UUID, but was " + id);
        }
    }
}
