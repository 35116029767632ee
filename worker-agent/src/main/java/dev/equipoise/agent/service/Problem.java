package dev.equipoise.agent.service;

import org.jspecify.annotations.Nullable;

/** RFC 9457 problem, as far as the agent reads it. */
record Problem(@Nullable String code, @Nullable String title, @Nullable String detail) {

    static final Problem NONE = new Problem(null, null, null);

    String codeOr(String fallback) {
        return code == null ? fallback : code;
    }

    String explanation() {
        if (detail != null) {
            return detail;
        }
        return title == null ? "no explanation" : title;
    }
}
