package dev.equipoise.app.account;

import dev.equipoise.app.problem.ServicePath;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.Optional;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseCookie;
import org.springframework.web.util.WebUtils;

/** The session cookie of a browser: hidden from scripts, and never sent by pages of other sites. */
final class SessionCookie {

    /** The path for signing in. */
    static final String SIGN_IN = "/api/v1/session";

    private static final String PATH = "/api";

    private SessionCookie() {}

    static Optional<String> of(HttpServletRequest request) {
        return Optional.ofNullable(WebUtils.getCookie(request, SessionNames.COOKIE))
                .map(cookie -> cookie.getValue());
    }

    /** Returns the session that authenticates the request; empty if a token does. */
    static Optional<String> authenticating(HttpServletRequest request) {
        return request.getHeader(HttpHeaders.AUTHORIZATION) == null
                ? of(request)
                : Optional.empty();
    }

    /** Tells whether the request signs in, which may still carry a session that has ended. */
    static boolean isSigningIn(HttpServletRequest request) {
        return request.getMethod().equals("POST") && ServicePath.of(request).equals(SIGN_IN);
    }

    static ResponseCookie begin(Secret secret, Duration life, HttpServletRequest request) {
        return cookie(secret.text(), life, request);
    }

    static ResponseCookie end(HttpServletRequest request) {
        return cookie("", Duration.ZERO, request);
    }

    private static ResponseCookie cookie(String value, Duration life, HttpServletRequest request) {
        return ResponseCookie.from(SessionNames.COOKIE, value)
                .path(ServicePath.forClients(request, PATH))
                .httpOnly(true)
                .secure(request.isSecure())
                .sameSite("Strict")
                .maxAge(life)
                .build();
    }
}
