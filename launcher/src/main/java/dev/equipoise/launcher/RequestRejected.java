package dev.equipoise.launcher;

import java.util.List;
import tools.jackson.databind.JsonNode;

/** Reports that the service rejected a request, with the reasons. */
public final class RequestRejected extends LabFailure {

    private static final long serialVersionUID = 1;

    private final String code;
    private final String detail;
    private final List<String> errors;

    private RequestRejected(String sentence, String code, String detail, List<String> errors) {
        super(sentence);
        this.code = code;
        this.detail = detail;
        this.errors = List.copyOf(errors);
    }

    /**
     * Reads the problem that the service answered; joins the lines of a parser's message.
     *
     * @param request method and path of the request
     */
    static RequestRejected of(String request, JsonNode problem) {
        String detail = problem.path("detail").asString("").replaceAll("\\s+", " ").strip();
        List<String> errors =
                problem.path("errors").valueStream().map(RequestRejected::error).toList();
        // With errors, the detail only counts or repeats them.
        String reasons = errors.isEmpty() ? detail : String.join("; ", errors);
        return new RequestRejected(
                "%s was rejected: %s".formatted(request, reasons),
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

    public boolean is(String wanted) {
        return code.equals(wanted);
    }

    /**
     * Returns the broken rules, each with its pointer and value, or the detail if there are none.
     */
    public List<String> reasons() {
        return errors.isEmpty() ? List.of(detail) : errors;
    }
}
