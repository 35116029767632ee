package dev.equipoise.wrong.path;

import jakarta.servlet.http.HttpServletRequest;
import java.util.function.Function;

class UnguardedReference {

    private static final Function<HttpServletRequest, String> PATH =
            HttpServletRequest::getRequestURI;

    boolean isSigningIn(HttpServletRequest request) {
        return PATH.apply(request).equals("/api/v1/session");
    }
}
