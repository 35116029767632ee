package dev.equipoise.launcher.client;

import static dev.equipoise.launcher.client.ResourceColumn.computed;
import static dev.equipoise.launcher.client.ResourceColumn.field;
import static dev.equipoise.launcher.client.ResourceColumn.id;
import static dev.equipoise.launcher.client.ResourceColumn.number;
import static dev.equipoise.launcher.client.ResourceColumn.sentence;
import static dev.equipoise.launcher.client.ResourceColumn.time;
import static java.util.stream.Collectors.joining;

import java.util.Locale;
import tools.jackson.databind.JsonNode;

/** Columns of runs. */
final class RunTables {

    /** Columns of a list of runs. */
    static final ResourceTable LIST =
            ResourceTable.of(
                    id("id", "/id"),
                    computed("name", RunTables::name),
                    field("state", "/state"),
                    computed("method", RunTables::method),
                    computed("seed", RunTables::seed),
                    computed("progress", RunTables::progress),
                    number("accuracy", "/testAccuracy"),
                    number("epoch seconds", "/epochSeconds"),
                    time("queued", "/queuedAt"),
                    computed("tags", RunTables::tags),
                    sentence("reason", RunTables::reason));

    /** Fields of one run. */
    static final ResourceTable ONE =
            ResourceTable.of(
                    id("id", "/id"),
                    computed("name", RunTables::name),
                    field("experiment", "/experiment"),
                    field("version", "/experimentVersion"),
                    field("project", "/project"),
                    field("state", "/state"),
                    sentence("reason", RunTables::reason),
                    field("reason code", "/waiting/code"),
                    computed("method", RunTables::method),
                    computed("seed", RunTables::seed),
                    field("replicas", "/configuration/workers/replicas"),
                    computed("backend", RunTables::backends),
                    field("priority", "/priority"),
                    computed("tags", RunTables::tags),
                    field("queue position", "/place"),
                    time("expected start", "/predictedStart"),
                    time("queued", "/queuedAt"),
                    time("started", "/startedAt"),
                    time("ended", "/endedAt"),
                    computed("progress", RunTables::progress),
                    field("epoch seconds", "/epochSeconds"),
                    field("predicted epoch seconds", "/prediction/epochSeconds"),
                    field("test accuracy", "/testAccuracy"),
                    field("test loss", "/testLoss"),
                    field("restarts", "/setbacks"));

    private RunTables() {}

    /** Returns the name that the service gives, such as {@code methods: bsp, seed 1}. */
    static String name(JsonNode run) {
        return run.path("name").asString("");
    }

    private static String method(JsonNode run) {
        return ofRun(run, "synchronization").path("kind").asString("");
    }

    private static String seed(JsonNode run) {
        return ResourceColumn.text(ofRun(run, "seed"));
    }

    /**
     * Returns a setting, which lists have beside the figures and single runs in a configuration.
     */
    private static JsonNode ofRun(JsonNode run, String name) {
        return run.has(name) ? run.path(name) : run.path("configuration").path(name);
    }

    private static String progress(JsonNode run) {
        JsonNode fraction = run.at("/progress/fraction");
        return fraction.isNumber()
                ? String.format(Locale.ROOT, "%.0f %%", 100 * fraction.asDouble())
                : "";
    }

    /** Returns the numeric libraries of the workers; empty before they are placed. */
    private static String backends(JsonNode run) {
        return run.path("replicas")
                .valueStream()
                .map(it -> it.path("backend").asString(""))
                .filter(it -> !it.isEmpty())
                .distinct()
                .collect(joining(", "));
    }

    private static String tags(JsonNode run) {
        return run.path("tags").valueStream().map(it -> it.asString("")).collect(joining(" "));
    }

    /** Returns why the run failed or waits; empty for other runs. */
    private static String reason(JsonNode run) {
        JsonNode failure = run.at("/failure/message");
        return failure.isString()
                ? "%s (%s)".formatted(failure.asString(), run.at("/failure/cause").asString(""))
                : run.at("/waiting/message").asString("");
    }
}
