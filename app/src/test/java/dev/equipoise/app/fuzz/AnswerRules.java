package dev.equipoise.app.fuzz;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.dialect.Dialects;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The rules for each answer: no server error; a status, a content type and headers that the
 * description has for the operation; a body that its schema allows; and in every error a problem
 * with code, status and title.
 */
final class AnswerRules {

    private static final int MAX_VIOLATIONS = 5;

    /**
     * Statuses that any operation may have by its {@code default} response, since they depend on
     * the request alone: malformed headers and parameters, an unknown token where none is needed, a
     * method, an {@code Accept} or a body that the operation does not know. All other statuses must
     * be described for the operation.
     */
    private static final Set<Integer> BY_DEFAULT = Set.of(400, 401, 405, 406, 413, 415);

    private final JsonMapper json;
    private final JsonNode components;
    private final SchemaRegistry registry =
            SchemaRegistry.withDialect(
                    Dialects.getDraft202012(),
                    builder ->
                            builder.schemaRegistryConfig(
                                    SchemaRegistryConfig.builder()
                                            .formatAssertionsEnabled(true)
                                            .build()));

    /** Compiled schemas by their text. */
    private final Map<String, Schema> schemas = new HashMap<>();

    AnswerRules(JsonMapper json, JsonNode description) {
        this.json = json;
        this.components = description.path("components");
    }

    /** Returns what is wrong with the answer to a request. */
    Optional<String> fault(Draft draft, HttpResponse<byte[]> answer) {
        int status = answer.statusCode();
        if (status >= 500) {
            return Optional.of("a server error");
        }
        if (draft.isRejectedByTheContainer()) {
            return Optional.empty();
        }
        if (draft.isOfAnotherMethod()) {
            return status < 400
                    ? Optional.of("success of a method that is not described")
                    : faultOfProblem(status, type(answer), tree(answer));
        }
        JsonNode described = described(draft.operation(), status);
        if (described.isMissingNode()) {
            return Optional.of("the status is not described");
        }
        return faultOfHeaders(described, answer)
                .or(() -> faultOfBody(described, answer))
                .or(() ->
                        status < 400
                                ? Optional.empty()
                                : faultOfProblem(status, type(answer), tree(answer)));
    }

    private static JsonNode described(Operation operation, int status) {
        JsonNode described = operation.responses().path(String.valueOf(status));
        return described.isMissingNode() && BY_DEFAULT.contains(status)
                ? operation.responses().path("default")
                : described;
    }

    private static Optional<String> faultOfHeaders(
            JsonNode described, HttpResponse<byte[]> answer) {
        return described.path("headers").propertyNames().stream()
                .filter(name -> answer.headers().firstValue(name).isEmpty())
                .findFirst()
                .map("the header %s is missing"::formatted);
    }

    private Optional<String> faultOfBody(JsonNode described, HttpResponse<byte[]> answer) {
        JsonNode contents = described.path("content");
        if (contents.isEmpty()) {
            return answer.body().length == 0
                    ? Optional.empty()
                    : Optional.of("a body where none is described");
        }
        String type = type(answer);
        if (!contents.has(type)) {
            return Optional.of("the content type '%s' is not described".formatted(type));
        }
        return isJson(type) ? faultOfJson(contents.path(type), tree(answer)) : Optional.empty();
    }

    private Optional<String> faultOfJson(JsonNode content, @Nullable JsonNode body) {
        if (body == null) {
            return Optional.of("the body is not JSON");
        }
        List<String> violations = violations(content.path("schema"), body);
        return violations.isEmpty()
                ? Optional.empty()
                : Optional.of("the body violates its schema: " + String.join("; ", violations));
    }

    private static Optional<String> faultOfProblem(
            int status, String type, @Nullable JsonNode body) {
        if (!type.equals("application/problem+json") || body == null) {
            return Optional.of("an error without a problem");
        }
        return body.path("status").asInt(0) == status
                        && !body.path("code").asString("").isBlank()
                        && !body.path("title").asString("").isBlank()
                ? Optional.empty()
                : Optional.of("a problem without code, title or the status");
    }

    private List<String> violations(JsonNode schema, JsonNode body) {
        Schema compiled = schemas.computeIfAbsent(schema.toString(), _ -> compiled(schema));
        return compiled.validate(body).stream()
                .limit(MAX_VIOLATIONS)
                .map(Object::toString)
                .toList();
    }

    /** References of a schema of the description point to the components, so they come with it. */
    private Schema compiled(JsonNode schema) {
        ObjectNode document = json.createObjectNode();
        schema.properties().forEach(it -> document.set(it.getKey(), it.getValue()));
        document.set("components", components);
        String location = "https://equipoise.example/answer-" + schemas.size();
        return registry.getSchema(SchemaLocation.of(location), document);
    }

    /** Returns the media type without parameters; empty if there is none. */
    private static String type(HttpResponse<byte[]> answer) {
        String type = answer.headers().firstValue("Content-Type").orElse("");
        int end = type.indexOf(';');
        return (end < 0 ? type : type.substring(0, end)).strip().toLowerCase(Locale.ROOT);
    }

    static boolean isJson(HttpResponse<byte[]> answer) {
        return isJson(type(answer));
    }

    private static boolean isJson(String type) {
        return type.equals("application/json") || type.endsWith("+json");
    }

    /** Returns the body as a tree; null if it is not JSON. */
    @Nullable JsonNode tree(HttpResponse<byte[]> answer) {
        try {
            JsonNode tree = json.readTree(answer.body());
            return tree.isMissingNode() ? null : tree;
        } catch (JacksonException _) {
            return null;
        }
    }
}
