package dev.equipoise.launcher.client;

import dev.equipoise.launcher.RunProgress;
import dev.equipoise.launcher.ServiceApi;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/**
 * Reads the log of a run in the order of its lines, also while the run adds lines.
 *
 * @param reader sends a request, and repeats it while the service does not answer
 */
record LogReader(String run, Function<Function<ServiceApi, JsonNode>, JsonNode> reader) {

    private static final int PAGE = 500;

    /** Passes on all lines so far, the oldest first. */
    void read(Consumer<JsonNode> line) {
        String cursor = "";
        do {
            JsonNode page = page("at", cursor);
            page.path("items").forEach(line);
            cursor = next(page);
        } while (!cursor.isEmpty());
    }

    /**
     * Passes on all lines, and new ones as they come, until the run has ended.
     *
     * @param pause lets time pass before the next look
     */
    void follow(Consumer<JsonNode> line, Runnable pause) {
        long last = pass(0, line);
        while (!isOver()) {
            pause.run();
            last = pass(last, line);
        }
        // Lines between the last look and the end.
        pass(last, line);
    }

    private boolean isOver() {
        return RunProgress.hasEnded(reader.apply(api -> api.get("runs/" + run)));
    }

    /** Passes on the lines after one, and returns the id of the last line. */
    private long pass(long after, Consumer<JsonNode> line) {
        List<JsonNode> newer = newerThan(after);
        newer.reversed().forEach(line);
        return newer.isEmpty() ? after : newer.getFirst().path("id").asLong();
    }

    /** Returns the lines after one, the newest first: only those need to be read. */
    private List<JsonNode> newerThan(long after) {
        List<JsonNode> newer = new ArrayList<>();
        String cursor = "";
        do {
            JsonNode page = page("-at", cursor);
            List<JsonNode> items =
                    page.path("items")
                            .valueStream()
                            .filter(it -> it.path("id").asLong() > after)
                            .toList();
            newer.addAll(items);
            cursor = items.size() < page.path("items").size() ? "" : next(page);
        } while (!cursor.isEmpty());
        return newer;
    }

    private JsonNode page(String sort, String cursor) {
        String path =
                new Query("runs/%s/log".formatted(run))
                        .with("sort", sort)
                        .with("limit", String.valueOf(PAGE))
                        .with("cursor", cursor)
                        .toString();
        return reader.apply(api -> api.getJson(path));
    }

    private static String next(JsonNode page) {
        return page.path("next").asString("");
    }
}
