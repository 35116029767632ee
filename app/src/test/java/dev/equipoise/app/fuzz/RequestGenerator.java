package dev.equipoise.app.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.equipoise.app.fuzz.Operation.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Generates requests: valid ones, and such in which one to three things are changed. */
final class RequestGenerator {

    private static final int MAX_MUTATIONS = 3;

    /**
     * Waits of the lease: the service answers at once to what it rejects, and to a wait of 0 s.
     * Other waits, and the default of 20 s, would only slow the test down.
     */
    private static final List<String> WAITS =
            List.of("0", "-1", "31", "seven", "NaN", "99999999999999999999");

    /** Streams of events have no end, so no request accepts {@code text/event-stream}. */
    private static final List<String> ACCEPTED =
            List.of(
                    "*/*",
                    "application/*",
                    "application/json",
                    "application/problem+json",
                    "application/yaml",
                    "application/zip",
                    "text/html",
                    "text/csv",
                    "text/markdown",
                    "text/plain",
                    "text/csv;q=0.5, application/json;q=0.1",
                    "a/b;q=2",
                    "nonsense",
                    ",");

    private static final List<String> TYPES =
            List.of(
                    "application/json",
                    "application/merge-patch+json",
                    "application/json;charset=utf-16",
                    "application/yaml",
                    "application/xml",
                    "application/zip",
                    "application/octet-stream",
                    "application/x-www-form-urlencoded",
                    "multipart/form-data; boundary=x",
                    "multipart/form-data",
                    "text/csv",
                    "text/plain",
                    "*/*",
                    "nonsense",
                    "a/b; charset=nonsense");

    private static final Map<String, List<String>> HEADERS =
            Map.ofEntries(
                    Map.entry("If-Match", tags()),
                    Map.entry("If-None-Match", tags()),
                    Map.entry("If-Modified-Since", List.of("Thu, 01 Jan 1970 00:00:00 GMT", "x")),
                    Map.entry("Idempotency-Key", keys()),
                    Map.entry("X-CSRF-Token", List.of("", "x", "n".repeat(2000))),
                    Map.entry("Cookie", List.of("equipoise_session=x", "equipoise_session=", "=")),
                    Map.entry("Last-Event-ID", List.of("0", "-1", "x", "99999999999999999999")),
                    Map.entry("Range", List.of("bytes=0-1", "bytes=9-1", "bytes=-0", "lines=1")),
                    Map.entry("Accept-Language", List.of("de", "x;q=9", "*")),
                    Map.entry("Accept-Charset", List.of("utf-16", "nonsense")),
                    Map.entry("Content-Encoding", List.of("gzip", "nonsense")),
                    Map.entry("Origin", List.of("https://elsewhere.example", "null", "x")),
                    Map.entry("Forwarded", List.of("for=1.2.3.4;proto=ftp;host=a:b", "=;=")),
                    Map.entry("X-Forwarded-For", List.of("1.2.3.4, 5.6.7.8", "x")),
                    Map.entry("X-Forwarded-Proto", List.of("https", "gopher")),
                    Map.entry("X-Forwarded-Port", List.of("-1", "x")),
                    Map.entry("X-HTTP-Method-Override", List.of("DELETE")),
                    Map.entry("traceparent", List.of("00-0-0-0", "x")),
                    Map.entry("X-Strange", List.of("\u00fc\u00ff", "n".repeat(3000))));

    private final Random random;
    private final ValueGenerator values;
    private final IdPool ids;
    private final FuzzLab lab;
    private final JsonMapper json;

    /** The methods of each path. */
    private final Map<String, Set<String>> methods;

    RequestGenerator(
            Random random,
            ValueGenerator values,
            IdPool ids,
            FuzzLab lab,
            JsonMapper json,
            List<Operation> operations) {
        this.random = random;
        this.values = values;
        this.ids = ids;
        this.lab = lab;
        this.json = json;
        methods =
                operations.stream()
                        .collect(
                                Collectors.groupingBy(
                                        Operation::path,
                                        Collectors.mapping(Operation::method, Collectors.toSet())));
    }

    private static List<String> tags() {
        return List.of("*", "\"0\"", "\"1\"", "W/\"1\"", "\"1\", \"2\"", "1", "\"", "", "\"x\"");
    }

    private static List<String> keys() {
        return List.of("one", "two", "three", "", " ", "\u00fc", "n".repeat(255), "n".repeat(256));
    }

    /** Changes a valid request, which may stay valid. */
    Draft mutate(Draft valid) {
        addOptionalParameters(valid);
        for (int left = 1 + random.nextInt(MAX_MUTATIONS); left > 0; left--) {
            mutateOnce(valid);
        }
        return valid;
    }

    private void addOptionalParameters(Draft draft) {
        draft.operation().parameters("query").stream()
                .filter(it -> !draft.hasQuery(it.name()) && random.nextInt(3) == 0)
                .forEach(it -> draft.query(it.name(), texts(it)));
    }

    /** Returns the values of a parameter that its schema allows. */
    private String[] texts(Parameter parameter) {
        JsonNode value = values.valid(parameter.schema(), parameter.name());
        return value.isArray()
                ? value.valueStream().map(JsonNode::asString).toArray(String[]::new)
                : new String[] {value.asString()};
    }

    private void mutateOnce(Draft draft) {
        switch (random.nextInt(12)) {
            case 0, 1 -> draft.by(values.pick(lab.callers()));
            case 2 -> mutatePath(draft);
            case 3, 4, 5 -> mutateQuery(draft);
            case 6 -> mutateHeader(draft);
            case 7 -> draft.header("Accept", values.pick(ACCEPTED));
            case 8 -> mutateType(draft);
            case 9 -> mutateMethod(draft);
            default -> mutateBody(draft);
        }
    }

    private void mutatePath(Draft draft) {
        for (Parameter parameter : draft.operation().parameters("path")) {
            if (random.nextInt(3) == 0) {
                String hostile = values.hostileText();
                draft.at(parameter.name(), hostile.isEmpty() ? "0" : hostile);
            } else {
                draft.at(parameter.name(), pathValue(draft.operation(), parameter));
            }
        }
    }

    private String pathValue(Operation operation, Parameter parameter) {
        return parameter.schema().path("format").asString("").equals("uuid")
                ? ids.any(operation, parameter.name())
                : values.valid(parameter.schema(), parameter.name()).asString();
    }

    private void mutateQuery(Draft draft) {
        List<Parameter> parameters = draft.operation().parameters("query");
        if (parameters.isEmpty()) {
            draft.query("unknown", values.hostileText());
            return;
        }
        Parameter parameter = values.pick(parameters);
        if (parameter.name().equals("wait")) {
            draft.query("wait", values.pick(WAITS));
        } else {
            String[] mutated =
                    switch (random.nextInt(4)) {
                        case 0 -> texts(parameter);
                        case 1 -> new String[] {values.hostileText(), values.hostileText()};
                        default -> new String[] {values.hostileText()};
                    };
            draft.query(parameter.name(), mutated);
        }
    }

    private void mutateHeader(Draft draft) {
        List<String> described =
                draft.operation().parameters("header").stream()
                        .map(Parameter::name)
                        .filter(HEADERS::containsKey)
                        .toList();
        String name =
                described.isEmpty() || random.nextBoolean()
                        ? values.pick(HEADERS.keySet().stream().sorted().toList())
                        : values.pick(described);
        draft.header(name, values.pick(HEADERS.getOrDefault(name, List.of("x"))));
    }

    private void mutateType(Draft draft) {
        if (draft.hasBody()) {
            draft.type(random.nextInt(6) == 0 ? null : values.pick(TYPES));
        } else {
            draft.body(values.pick(TYPES), "{\"a\": 1}".getBytes(UTF_8));
        }
    }

    /** Takes a method that the path does not have. */
    private void mutateMethod(Draft draft) {
        List<String> others = new ArrayList<>(List.of("GET", "POST", "PUT", "PATCH", "DELETE"));
        others.removeAll(methods.getOrDefault(draft.operation().path(), Set.of()));
        if (random.nextInt(3) == 0 && !others.isEmpty()) {
            draft.method(values.pick(others));
        }
    }

    private void mutateBody(Draft draft) {
        Operation operation = draft.operation();
        if (operation.bodies().isEmpty()) {
            mutateQuery(draft);
            return;
        }
        JsonNode schema = operation.bodies().getOrDefault("application/json", nothing());
        JsonNode tree = tree(draft.body());
        if (schema.has("$ref") && random.nextInt(3) == 0) {
            draft.json(generated(schema, tree).toString());
        } else if (tree != null && random.nextInt(8) > 0) {
            draft.json(values.corrupted(tree));
        } else {
            draft.body(draft.type(), bytes(draft.body()));
        }
    }

    private JsonNode nothing() {
        return json.createObjectNode();
    }

    /** Generates a body; reports keep the generation and the sequence number of the valid one. */
    private JsonNode generated(JsonNode schema, @Nullable JsonNode valid) {
        JsonNode body = values.valid(schema, "");
        if (valid != null && body instanceof ObjectNode report && body.has("firstSequence")) {
            report.set("generation", valid.path("generation"));
            report.set("firstSequence", valid.path("firstSequence"));
        }
        return body;
    }

    /** Returns the body as a tree; null if it is not JSON. */
    private @Nullable JsonNode tree(byte[] body) {
        try {
            JsonNode tree = json.readTree(body);
            return tree.isContainer() ? tree : null;
        } catch (JacksonException _) {
            return null;
        }
    }

    /** Returns the bytes cut, with a changed part, or none. */
    private byte[] bytes(byte[] valid) {
        if (valid.length == 0 || random.nextInt(8) == 0) {
            return new byte[0];
        }
        byte[] changed = Arrays.copyOf(valid, 1 + random.nextInt(valid.length));
        for (int left = random.nextInt(5); left > 0; left--) {
            changed[random.nextInt(changed.length)] = (byte) random.nextInt(256);
        }
        return changed;
    }
}
