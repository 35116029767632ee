package dev.equipoise.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** A result file, which must be writable before hours are spent on the result. */
record OutputFile(Path path) {

    /**
     * Checks that a file can be written at the path; accepts null.
     *
     * @throws UsageError if its folder does not exist, or it is a folder
     */
    static void check(String option, @Nullable Path path) {
        if (path == null) {
            return;
        }
        Path folder = path.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder) || Files.isDirectory(path)) {
            throw new UsageError(
                    "%s must name a file in a folder that exists, but was %s"
                            .formatted(option, path));
        }
    }

    void writeJson(Object result) {
        write(
                JsonMapper.builder()
                                .build()
                                .writerWithDefaultPrettyPrinter()
                                .writeValueAsString(result)
                        + "\n");
    }

    void write(String text) {
        try {
            Files.writeString(path, text);
        } catch (IOException failure) {
            throw new LabFailure(
                    "cannot write the result to %s: %s".formatted(path, LabFailure.reason(failure)),
                    failure);
        }
    }
}
