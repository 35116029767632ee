package dev.equipoise.launcher.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads the log of a run whose service answers what a list holds, newest or oldest first. */
class LogReaderTest {

    private final List<String> read = new ArrayList<>();

    private static JsonNode page(String next, long... ids) {
        String items =
                LongStream.of(ids)
                        .mapToObj(id -> "{\"id\": %d, \"text\": \"line %d\"}".formatted(id, id))
                        .collect(Collectors.joining(","));
        return json(
                "{\"items\": [%s], \"next\": %s}"
                        .formatted(items, next.isEmpty() ? "null" : "\"" + next + "\""));
    }

    private static JsonNode json(String text) {
        return JsonMapper.shared().readTree(text);
    }

    private static LogReader reader(JsonNode... answers) {
        List<JsonNode> left = new ArrayList<>(List.of(answers));
        return new LogReader("r", _ -> left.removeFirst());
    }

    private void note(JsonNode line) {
        read.add(line.path("text").asString());
    }

    @Test
    void wholeLogIsReadPageByPage() {
        reader(page("more", 1, 2), page("", 3)).read(this::note);

        assertThat(read).containsExactly("line 1", "line 2", "line 3");
    }

    @Test
    void newLinesFollowInTheirOrderUntilTheRunHasEnded() {
        List<String> pauses = new ArrayList<>();

        reader(
                        page("", 2, 1),
                        json("{\"state\": \"RUNNING\"}"),
                        page("more", 6, 5),
                        page("more", 4, 3, 2),
                        json("{\"state\": \"COMPLETED\"}"),
                        page("", 7, 6, 5))
                .follow(this::note, () -> pauses.add("pause"));

        assertThat(read)
                .containsExactly(
                        "line 1", "line 2", "line 3", "line 4", "line 5", "line 6", "line 7");
        assertThat(pauses).hasSize(1);
    }
}
