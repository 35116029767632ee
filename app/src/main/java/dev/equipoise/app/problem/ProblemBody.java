package dev.equipoise.app.problem;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.swagger.v3.oas.annotations.media.Schema;
import java.net.URI;
import java.util.List;

/**
 * The body of every error (RFC 9457).
 *
 * @param type URI of the kind of problem: {@code urn:equipoise:problem:} and the code
 * @param title short text of the kind of problem
 * @param status HTTP status
 * @param detail what failed here, the value, the limit, and what to do
 * @param instance path of the request
 * @param code stable code for programs, for example {@code invalid-request}
 * @param errors broken rules; absent if there are none
 */
@Schema(name = "Problem")
public record ProblemBody(
        URI type,
        String title,
        int status,
        String detail,
        String instance,
        String code,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Violation> errors) {

    private static final int MAX_DETAIL_CHARACTERS = 1000;

    static ProblemBody of(ErrorCode code, String detail, String instance, List<Violation> errors) {
        return new ProblemBody(
                URI.create("urn:equipoise:problem:" + code.code()),
                code.title(),
                code.status(),
                Truncation.to(MAX_DETAIL_CHARACTERS, detail),
                instance,
                code.code(),
                errors);
    }
}
