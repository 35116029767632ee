package dev.equipoise.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Where figures go that programs shall read: a line each. */
public final class JsonLines {

    private JsonLines() {}

    /** Nothing, where no file was asked for. */
    public static void write(@Nullable Path file, List<?> figures) {
        if (file == null) {
            return;
        }
        var mapper = JsonMapper.builder().build();
        try {
            Files.write(file, figures.stream().map(mapper::writeValueAsString).toList());
        } catch (IOException e) {
            throw new BenchFailed("cannot write %s: %s".formatted(file, e), e);
        }
    }
}
