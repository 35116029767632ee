package dev.equipoise.agent.service;

import org.jspecify.annotations.Nullable;

/** What the agent reads of an RFC 9457 problem. */
record Problem(@Nullable String code, @Nullable String title, @Nullable String detail) {

    static final Problem NONE = new Problem(null, null, null);

    String codeOr(String otherwise) {
        return code == null ? otherwise : code;
    }

    String explanation() {
        if (detail != null) {
            return detail;
        }
        return title == null ? "no explanation" : title;
    }
}
