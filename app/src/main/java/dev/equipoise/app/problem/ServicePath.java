package dev.equipoise.app.problem;

import jakarta.servlet.http.HttpServletRequest;

/**
 * Translates between the paths of the service, such as {@code /api/v1/runs}, and those of its
 * clients, which begin with the context path below which the service is served.
 */
public final class ServicePath {

    private ServicePath() {}

    /**
     * Returns the path of a request within the service. It is decoded, as controllers see it, so
     * that an encoded letter bypasses no rule for a path.
     */
    public static String of(HttpServletRequest request) {
        String rest = request.getPathInfo();
        return rest == null ? request.getServletPath() : request.getServletPath() + rest;
    }

    /** Returns the path by which clients reach a path of the service. */
    public static String forClients(HttpServletRequest request, String path) {
        return request.getServletContext().getContextPath() + path;
    }
}
