package dev.equipoise.wrong.path;

import jakarta.servlet.http.HttpServletRequest;

class Unguarded {

    boolean isSigningIn(HttpServletRequest request) {
        return request.getRequestURI().equals("/api/v1/session");
    }
}
