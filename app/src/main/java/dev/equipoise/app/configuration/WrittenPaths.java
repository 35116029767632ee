package dev.equipoise.app.configuration;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * Paths of a run configuration that a definition writes. All other values are defaults, or follow
 * from written ones.
 *
 * @param leaves dotted paths of single values, such as {@code training.batchSize}
 * @param open dotted paths of objects that the service chooses: {@code topology: auto}
 */
public record WrittenPaths(Set<String> leaves, Set<String> open) {

    /** The paths of no definition. */
    public static final WrittenPaths NONE = new WrittenPaths(Set.of(), Set.of());

    private static final String MATRIX = "matrix";
    private static final String SEEDS = "seeds";
    private static final String SEED = "seed";
    private static final String AUTO = "auto";
    private static final String KIND = ".kind";

    public WrittenPaths {
        leaves = Set.copyOf(leaves);
        open = Set.copyOf(open);
    }

    /** Reads the paths of a definition with its matrix and its seeds. */
    public static WrittenPaths of(JsonNode definition) {
        var reader = new Reader();
        definition.properties().forEach(it -> reader.readField(it.getKey(), it.getValue()));
        return new WrittenPaths(reader.leaves, reader.open);
    }

    /** Returns the paths of either definition. */
    public WrittenPaths and(WrittenPaths other) {
        return new WrittenPaths(union(leaves, other.leaves), union(open, other.open));
    }

    private static Set<String> union(Set<String> some, Set<String> others) {
        return Stream.concat(some.stream(), others.stream()).collect(Collectors.toSet());
    }

    /** Tells whether a definition writes the value at a path, or leaves it to the service. */
    public boolean contains(String path) {
        return leaves.contains(path) || open.stream().anyMatch(it -> path.startsWith(it + "."));
    }

    private static final class Reader {

        private final Set<String> leaves = new HashSet<>();
        private final Set<String> open = new HashSet<>();

        void readField(String name, JsonNode value) {
            switch (name) {
                case MATRIX ->
                        value.properties()
                                .forEach(axis ->
                                        axis.getValue()
                                                .values()
                                                .forEach(it -> read(axis.getKey(), it)));
                case SEEDS -> leaves.add(SEED);
                default -> read(name, value);
            }
        }

        /** A text may be the short form of an object: {@code topology: all-reduce}. */
        private void read(String path, JsonNode value) {
            if (value.isObject()) {
                value.properties().forEach(it -> read(path + "." + it.getKey(), it.getValue()));
                return;
            }
            leaves.add(path);
            if (value.isString()) {
                leaves.add(path + KIND);
                if (value.stringValue().equals(AUTO)) {
                    open.add(path);
                }
            }
        }
    }
}
