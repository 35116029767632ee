package dev.equipoise.agent.service;

import dev.equipoise.protocol.ProblemCode;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** RFC 9457 problem, as far as the agent reads it. */
record Problem(@Nullable String code, @Nullable String title, @Nullable String detail) {

    static final Problem NONE = new Problem(null, null, null);

    private static final JsonMapper JSON =
            JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

    /** Reads a problem document; returns {@link #NONE} if the text is none. */
    static Problem read(String text) {
        try {
            Problem problem = JSON.readValue(text, Problem.class);
            return problem == null ? NONE : problem;
        } catch (JacksonException e) {
            return NONE;
        }
    }

    /** Returns the code, if it is one of the service. */
    Optional<ProblemCode> knownCode() {
        return Optional.ofNullable(code).flatMap(ProblemCode::of);
    }

    String explanation() {
        if (detail != null) {
            return detail;
        }
        return title == null ? "no explanation" : title;
    }
}
