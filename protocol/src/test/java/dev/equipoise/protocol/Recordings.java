package dev.equipoise.protocol;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Recorded messages: a folder per protocol version with a file per type, which holds examples by
 * name. Existing recordings never change.
 */
final class Recordings {

    private static final Path ALL = Path.of("src/test/resources/recorded");
    private static final String JSON = ".json";
    private static final JsonMapper PRETTY =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private Recordings() {}

    /**
     * A recorded example.
     *
     * @param version that wrote it
     * @param file name of its type, by {@link #fileOf}
     */
    record Recording(ProtocolVersion version, String file, String name, JsonNode json) {

        boolean isOf(Class<?> type) {
            return file.equals(fileOf(type));
        }

        @Override
        public String toString() {
            return "%s %s: %s".formatted(version, file, name);
        }
    }

    /** Reads the recordings of all versions that this one must understand. */
    static List<Recording> all() {
        try (Stream<Path> folders = Files.list(ALL)) {
            return folders.sorted().flatMap(Recordings::in).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<Recording> in(Path folder) {
        ProtocolVersion version = ProtocolVersion.of(folder.getFileName().toString());
        if (!version.isNextTo(ProtocolVersion.OWN)) {
            return Stream.empty();
        }
        try (Stream<Path> files = Files.list(folder)) {
            List<Recording> recordings = new ArrayList<>();
            for (Path file : files.sorted().toList()) {
                String type = file.getFileName().toString().replace(JSON, "");
                read(file)
                        .properties()
                        .forEach(it ->
                                recordings.add(
                                        new Recording(version, type, it.getKey(), it.getValue())));
            }
            return recordings.stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Records the examples of a type that have no recording yet. */
    static void add(Class<?> type) {
        Path file = ALL.resolve(ProtocolVersion.OWN.text()).resolve(fileOf(type) + JSON);
        ObjectNode recorded = Files.exists(file) ? read(file) : PRETTY.createObjectNode();
        var examples = Examples.of(type);
        for (String name : new TreeSet<>(examples.keySet())) {
            if (!recorded.has(name)) {
                recorded.set(name, PRETTY.readTree(PRETTY.writeValueAsString(examples.get(name))));
            }
        }
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, PRETTY.writeValueAsString(recorded) + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ObjectNode read(Path file) {
        return (ObjectNode) PRETTY.readTree(file);
    }

    /** Returns the name of a type's file: the class name without the protocol's package. */
    static String fileOf(Class<?> type) {
        return type.getName()
                .substring(ProtocolVersion.class.getPackageName().length() + 1)
                .replace('$', '.');
    }
}
