package dev.equipoise.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * A file in YAML or JSON that a user wrote. A {@link UsageError} tells what is wrong with it, with
 * the name of the file, and with the line of a syntax error.
 */
record UserFile(Path path) {

    /** Limit of the body of a request. */
    private static final int MAX_BYTES = 1 << 20;

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final YAMLMapper YAML = YAMLMapper.builder().build();

    /** The text of a file, and the tree that it describes. */
    record Content(String text, JsonNode tree) {}

    /**
     * Reads the file.
     *
     * @throws UsageError if it cannot be read, is empty, too large or a folder, or is neither YAML
     *     nor JSON
     */
    Content read() {
        if (Files.isDirectory(path)) {
            throw new UsageError("%s is a folder: name a file in it".formatted(path));
        }
        try {
            if (Files.size(path) > MAX_BYTES) {
                throw new UsageError(
                        "%s has %d bytes, and may have at most %d"
                                .formatted(path, Files.size(path), MAX_BYTES));
            }
            return parsed(Files.readString(path));
        } catch (IOException unreadable) {
            throw new UsageError(
                    "%s cannot be read: %s".formatted(path, LabFailure.reason(unreadable)));
        } catch (JacksonException malformed) {
            throw new UsageError(
                    "%s is neither YAML nor JSON: %s".formatted(path, reason(malformed)));
        }
    }

    private Content parsed(String text) {
        JsonNode tree = isJson() ? JSON.readTree(text) : YAML.readTree(text);
        if (tree.isMissingNode() || tree.isNull()) {
            throw new UsageError("%s is empty".formatted(path));
        }
        return new Content(text, tree);
    }

    /** Returns whether the name says JSON, which may be indented by tabs, and YAML may not. */
    boolean isJson() {
        return path.toString().endsWith(".json");
    }

    /** Returns the message of the parser, which may have several lines, as one with the line. */
    private static String reason(JacksonException malformed) {
        String message =
                String.valueOf(malformed.getOriginalMessage()).replaceAll("\\s+", " ").strip();
        TokenStreamLocation place = malformed.getLocation();
        return message.contains(" line ") || place == null
                ? message
                : "%s (line %d, column %d)"
                        .formatted(message, place.getLineNr(), place.getColumnNr());
    }
}
