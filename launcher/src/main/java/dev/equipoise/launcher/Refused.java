package dev.equipoise.launcher;

import java.util.List;
import tools.jackson.databind.JsonNode;

/** What the service would not do, and why. */
final class Refused extends LabFailure {

    private static final long serialVersionUID = 1;

    private final String code;
    private final String detail;
    private final List<String> errors;

    private Refused(String sentence, String code, String detail, List<String> errors) {
        super(sentence);
        this.code = code;
        this.detail = detail;
        this.errors = List.copyOf(errors);
    }

    /**
     * Reads the service's answer; what a parser says over several lines becomes one.
     *
     * @param request its method and path
     */
    static Refused of(String request, JsonNode problem) {
        String detail = problem.path("detail").asString("").replaceAll("\\s+", " ").strip();
        List<String> errors = problem.path("errors").valueStream().map(Refused::error).toList();
        return new Refused(
                "%s was refused: %s %s"
                        .formatted(request, detail, String.join("; ", errors))
                        .strip(),
                problem.path("code").asString(""),
                detail,
                errors);
    }

    private static String error(JsonNode error) {
        JsonNode value = error.path("value");
        return "%s %s%s"
                .formatted(
                        error.path("pointer").asString(""),
                        error.path("rule").asString(""),
                        value.isNull() || value.isMissingNode() ? "" : ", but was " + value)
                .strip();
    }

    boolean is(String wanted) {
        return code.equals(wanted);
    }

    /** The broken rules, each with its place; where there are none, what else is wrong. */
    List<String> reasons() {
        return errors.isEmpty() ? List.of(detail) : errors;
    }
}
