package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.launcher.GenerationRecord.Generation;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class GenerationRecordTest {

    private static List<JsonNode> events(String... events) {
        return Stream.of(events)
                .map(it -> JsonMapper.shared().readTree(it.replace('\'', '"')))
                .toList();
    }

    private static String placed(String first, String second) {
        return """
        {'type': 'placed', 'ranks': [
          {'rank': 0, 'workerName': '%s', 'share': 60},
          {'rank': 1, 'workerName': '%s', 'share': 40}]}
        """
                .formatted(first, second);
    }

    private static String points(int rank, int every, String steps) {
        return "{'type': 'metrics', 'name': 'train/loss', 'rank': %d, 'every': %d, 'steps': [%s]}"
                .formatted(rank, every, steps);
    }

    private static Generation generation(long from, String... workers) {
        return new Generation(from, List.of(workers), List.of(60, 40));
    }

    @Test
    void firstPointTellsWhereAGenerationBegan() {
        assertThat(
                        GenerationRecord.generations(
                                events(
                                        placed("a", "b"),
                                        "{'type': 'state', 'state': 'RUNNING'}",
                                        points(1, 1, "1, 2, 3"),
                                        points(0, 1, "1, 2"),
                                        placed("a", "c"),
                                        points(0, 1, "8, 9"))))
                .contains(List.of(generation(0, "a", "b"), generation(7, "a", "c")));
    }

    @Test
    void generationThatWasComputedAgainDoesNotCount() {
        assertThat(
                        GenerationRecord.generations(
                                events(
                                        placed("a", "b"),
                                        points(0, 1, ""),
                                        "{'type': 'set-back', 'epoch': 0}",
                                        placed("a", "c"),
                                        points(0, 1, "1, 2"))))
                .contains(List.of(generation(0, "a", "c")));
    }

    @Test
    void strideHidesWhereAGenerationBegan() {
        assertThat(GenerationRecord.generations(events(placed("a", "b"), points(0, 2, "2, 4"))))
                .isEmpty();
    }
}
