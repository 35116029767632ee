package dev.equipoise.app.fuzz;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * An operation of the OpenAPI description.
 *
 * @param path template below {@code /api/v1}
 * @param bodies schemas of the request body by media type; empty if the operation takes no body
 * @param responses described responses by status, {@code default} included
 */
record Operation(
        String method,
        String path,
        List<Parameter> parameters,
        Map<String, JsonNode> bodies,
        JsonNode responses) {

    static final String API = "/api/v1";

    /**
     * A parameter.
     *
     * @param place {@code path}, {@code query} or {@code header}
     */
    record Parameter(String name, String place, JsonNode schema) {}

    /** Returns all operations in the order of the description. */
    static List<Operation> all(JsonNode description) {
        List<Operation> operations = new ArrayList<>();
        for (Map.Entry<String, JsonNode> path : description.path("paths").properties()) {
            for (Map.Entry<String, JsonNode> method : path.getValue().properties()) {
                operations.add(
                        of(
                                method.getKey().toUpperCase(Locale.ROOT),
                                path.getKey().substring(API.length()),
                                method.getValue()));
            }
        }
        return operations;
    }

    private static Operation of(String method, String path, JsonNode described) {
        List<Parameter> parameters =
                described
                        .path("parameters")
                        .valueStream()
                        .map(it ->
                                new Parameter(
                                        it.path("name").stringValue(),
                                        it.path("in").stringValue(),
                                        it.path("schema")))
                        .toList();
        Map<String, JsonNode> bodies = new LinkedHashMap<>();
        described
                .at("/requestBody/content")
                .properties()
                .forEach(it -> bodies.put(it.getKey(), it.getValue().path("schema")));
        return new Operation(method, path, parameters, bodies, described.path("responses"));
    }

    /** Returns method and path, for example {@code GET /runs/{id}}. */
    String name() {
        return method + " " + path;
    }

    boolean changes() {
        return !method.equals("GET");
    }

    List<Parameter> parameters(String place) {
        return parameters.stream().filter(it -> it.place().equals(place)).toList();
    }

    @Override
    public String toString() {
        return name();
    }
}
