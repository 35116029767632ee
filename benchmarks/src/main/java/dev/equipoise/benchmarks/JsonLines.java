package dev.equipoise.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Writes and reads figures as JSON lines. */
public final class JsonLines {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private JsonLines() {}

    /** Prints a figure on standard output. */
    public static void print(Object figure) {
        System.out.println(JSON.writeValueAsString(figure));
    }

    /** Reads the figures of a process from its output; skips lines that are no JSON objects. */
    public static <T> List<T> read(List<String> output, Class<T> type) {
        return output.stream()
                .filter(line -> line.startsWith("{"))
                .map(line -> JSON.readValue(line, type))
                .toList();
    }

    /** Writes the figures; does nothing without a file. */
    public static void write(@Nullable Path file, List<?> figures) {
        if (file == null) {
            return;
        }
        try {
            Files.write(file, figures.stream().map(JSON::writeValueAsString).toList());
        } catch (IOException e) {
            throw new BenchFailed("cannot write %s: %s".formatted(file, e), e);
        }
    }
}
