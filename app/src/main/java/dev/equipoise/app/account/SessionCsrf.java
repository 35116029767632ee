package dev.equipoise.app.account;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.security.web.csrf.CsrfTokenRepository;
import org.springframework.security.web.csrf.DefaultCsrfToken;

/**
 * Derives the CSRF token of a session from the session's secret, so that the service stores none
 * and nobody else can compute it.
 */
final class SessionCsrf implements CsrfTokenRepository {

    private static final String PARAMETER = "_csrf";
    private static final String PURPOSE = "equipoise csrf";

    /** Tells whether the request has a session and changes something. */
    static boolean isRequired(HttpServletRequest request) {
        return !isSafe(request.getMethod())
                && request.getHeader("Authorization") == null
                && SessionCookie.of(request).isPresent()
                && !SessionCookie.isSigningIn(request);
    }

    private static boolean isSafe(String method) {
        return method.equals("GET") || method.equals("HEAD") || method.equals("OPTIONS");
    }

    static String of(String session) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(session.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(mac.doFinal(PURPOSE.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every Java platform has HmacSHA256", impossible);
        }
    }

    @Override
    public CsrfToken generateToken(HttpServletRequest request) {
        return new DefaultCsrfToken(
                SessionNames.CSRF_HEADER,
                PARAMETER,
                of(SessionCookie.of(request).filter(it -> !it.isEmpty()).orElse("none")));
    }

    @Override
    public void saveToken(
            @Nullable CsrfToken token, HttpServletRequest request, HttpServletResponse response) {}

    @Override
    public CsrfToken loadToken(HttpServletRequest request) {
        return generateToken(request);
    }
}
