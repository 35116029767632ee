package dev.equipoise.agent.service;

import dev.equipoise.protocol.ProblemCode;
import java.net.http.HttpResponse;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * HTTP answer at the address of the service: from the service, or from a proxy, a captive portal or
 * another server in its place. Only the service's own problem documents count as rejections.
 *
 * @param mediaType Content-Type in lower case without parameters; empty if missing
 * @param body text; empty for other content
 */
record ServiceAnswer(int status, String mediaType, String body) {

    private static final int NO_CONTENT = 204;
    private static final String JSON = "application/json";
    private static final String PROBLEM = "application/problem+json";
    private static final String BYTES = "application/octet-stream";

    /** JSON of another server. */
    static final ServiceAnswer FOREIGN_JSON = new ServiceAnswer(200, JSON, "");

    /** Codes of requests that may succeed later, for example after a lost race. */
    private static final Set<ProblemCode> TEMPORARY =
            Set.of(
                    ProblemCode.BODY_TOO_SLOW,
                    ProblemCode.CONFLICT,
                    ProblemCode.RATE_LIMITED,
                    ProblemCode.TOO_MANY_STREAMS,
                    ProblemCode.INTERNAL,
                    ProblemCode.NO_ROOM,
                    ProblemCode.BUSY);

    static ServiceAnswer of(HttpResponse<?> response, String body) {
        String contentType = response.headers().firstValue("Content-Type").orElse("");
        int end = contentType.indexOf(';');
        String mediaType = end < 0 ? contentType : contentType.substring(0, end);
        return new ServiceAnswer(
                response.statusCode(), mediaType.strip().toLowerCase(Locale.ROOT), body);
    }

    /** Returns whether the request is fulfilled, and the answer has no content. */
    boolean isEmpty() {
        return status == NO_CONTENT;
    }

    /** Returns whether the request is fulfilled, and the body is JSON. */
    boolean isJson() {
        return isSuccess() && mediaType.equals(JSON);
    }

    /** Returns whether the request is fulfilled, and the body is binary. */
    boolean isBytes() {
        return isSuccess() && mediaType.equals(BYTES);
    }

    /**
     * Judges this answer if it is not the wanted one.
     *
     * @param address address of the service
     */
    Verdict judge(String address) {
        Problem problem =
                !isSuccess() && mediaType.equals(PROBLEM) ? Problem.read(body) : Problem.NONE;
        Optional<ProblemCode> code = problem.knownCode();
        return code.isPresent()
                ? judge(code.get(), problem)
                : new Verdict.Temporary(foreign(address));
    }

    private Verdict judge(ProblemCode code, Problem problem) {
        String message =
                "the service answered %d %s: %s"
                        .formatted(status, code.text(), problem.explanation());
        return TEMPORARY.contains(code)
                ? new Verdict.Temporary(message)
                : new Verdict.Rejected(code, message);
    }

    private String foreign(String address) {
        return ("the answer %d (%s) from %s is not from an Equipoise service; check the address and"
                        + " any proxy in between")
                .formatted(status, mediaType.isEmpty() ? "no Content-Type" : mediaType, address);
    }

    private boolean isSuccess() {
        return status / 100 == 2;
    }
}
