package dev.equipoise.app.bundle;

import dev.equipoise.app.problem.BodyMismatch;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.Utf8;
import dev.equipoise.app.problem.Violation;
import dev.equipoise.protocol.DisplayText;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The files of an imported bundle, checked for number, size and manifest. File names are never used
 * as paths on a disk.
 */
final class BundleFiles {

    static final String DEFINITION = "definition.json";
    static final String WORKERS = "workers.json";

    /** The folder with a file for each run. */
    static final String RUNS = "runs";

    /** The maximum number of files: at most two for each run, and a few others. */
    static final int MAX_FILES = 2_010;

    /** The maximum size of an unpacked file, in bytes. */
    static final int MAX_BYTES = 16 << 20;

    /** The maximum size of all unpacked files together, in bytes. */
    static final int MAX_TOTAL_BYTES = 64 << 20;

    private static final String COMPLETE = "must be a zip that can be read to its end";
    private static final Pattern NAME = Pattern.compile("([a-z]{1,20}/)?[a-z0-9-]{1,50}\\.json");
    private static final int MAX_TEXT_CHARACTERS = 20_000;

    /**
     * The maximum number of JSON tokens of a file: values, names, and beginnings and ends of
     * objects and lists.
     */
    static final int MAX_TOKENS = 1_500_000;

    /** The maximum nesting depth of objects and lists. */
    static final int MAX_DEPTH = 100;

    /** Reads trees of limited size, since a tree takes many times the bytes of its text. */
    private static final JsonMapper TREES =
            JsonMapper.builder(
                            JsonFactory.builder()
                                    .streamReadConstraints(
                                            StreamReadConstraints.builder()
                                                    .maxTokenCount(MAX_TOKENS)
                                                    .maxNestingDepth(MAX_DEPTH)
                                                    .build())
                                    .build())
                    .build();

    private final JsonMapper json;
    private final Map<String, byte[]> files;

    private BundleFiles(JsonMapper json, Map<String, byte[]> files) {
        this.json = json;
        this.files = files;
    }

    /**
     * Unpacks a bundle and checks it against its manifest.
     *
     * @throws Problem {@code invalid-bundle}
     */
    static BundleFiles read(byte[] zip, JsonMapper json) {
        BundleFiles files = new BundleFiles(json, unpacked(zip));
        files.check(files.manifest());
        return files;
    }

    private static Map<String, byte[]> unpacked(byte[] zip) {
        Map<String, byte[]> files = new TreeMap<>();
        long left = MAX_TOTAL_BYTES;
        try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(zip))) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                String name = entry.getName();
                require(
                        NAME.matcher(name).matches(),
                        name,
                        "is not a valid name of a file in a bundle");
                require(
                        files.size() < MAX_FILES,
                        name,
                        "is one of more than %d files".formatted(MAX_FILES));
                int limit = (int) Math.min(MAX_BYTES, left);
                byte[] bytes = in.readNBytes(limit + 1);
                require(bytes.length <= limit, name, "has more than %d bytes".formatted(limit));
                require(files.put(name, bytes) == null, name, "occurs twice");
                left -= bytes.length;
            }
        } catch (IOException | IllegalArgumentException broken) {
            throw invalid("", COMPLETE);
        }
        require(files.containsKey(Manifest.PATH), Manifest.PATH, "must be given");
        require(ZipEnd.isComplete(zip, files.size()), "", COMPLETE);
        return files;
    }

    private void check(Manifest manifest) {
        require(
                Manifest.FORMAT.equals(manifest.format()),
                Manifest.PATH,
                "must be of format %s, but is of %s".formatted(Manifest.FORMAT, manifest.format()));
        Set<String> listed = new HashSet<>();
        for (Manifest.Content file : manifest.files()) {
            byte[] bytes = files.get(file.path());
            require(
                    bytes != null && listed.add(file.path()),
                    file.path(),
                    "must occur exactly once");
            require(
                    bytes != null
                            && bytes.length == file.bytes()
                            && Checksum.of(bytes).equals(file.sha256()),
                    file.path(),
                    "differs from the manifest in size or checksum");
        }
        listed.add(Manifest.PATH);
        files.keySet()
                .forEach(name -> require(listed.contains(name), name, "is not in the manifest"));
    }

    Manifest manifest() {
        return read(Manifest.PATH, Manifest.class);
    }

    /** Returns a checksum that is equal for bundles with the same content. */
    String checksum() {
        return Checksum.of(content(Manifest.PATH));
    }

    /** Returns the files of a folder, in the order of their names. */
    List<String> in(String folder) {
        return files.keySet().stream().filter(name -> name.startsWith(folder + "/")).toList();
    }

    /**
     * Parses a file as JSON.
     *
     * @throws Problem {@code invalid-bundle} if it is not JSON, or contains values that cannot be
     *     stored
     */
    JsonNode tree(String name) {
        byte[] content = content(name);
        require(Utf8.firstInvalid(content).isEmpty(), name, "must be UTF-8");
        try {
            JsonNode tree = TREES.readTree(content);
            require(!tree.isMissingNode(), name, "must not be empty");
            requireStorableTree(name, tree);
            return tree;
        } catch (StreamConstraintsException excessive) {
            throw invalid(
                    name,
                    "must be JSON of at most %d values, nested at most %d deep, without texts or numbers of excessive length"
                            .formatted(MAX_TOKENS, MAX_DEPTH));
        } catch (JacksonException malformed) {
            throw invalid(name, "must be JSON");
        }
    }

    /**
     * Parses a file as a type.
     *
     * @throws Problem {@code invalid-bundle} if it does not match the type
     */
    <T> T read(String name, Class<T> type) {
        JsonNode tree = tree(name);
        require(tree.isObject(), name, "must be an object");
        try {
            return json.treeToValue(tree, type);
        } catch (DatabindException mismatch) {
            Violation violation = BodyMismatch.violation(mismatch);
            throw invalid(name + violation.pointer(), violation.rule());
        }
    }

    private byte[] content(String name) {
        byte[] content = files.get(name);
        if (content == null) {
            throw invalid(name, "must be given");
        }
        return content;
    }

    /** Rejects texts that break {@link DisplayText}, NUL included, and infinite numbers. */
    private static void requireStorableTree(String name, JsonNode tree) {
        Deque<JsonNode> open = new ArrayDeque<>(List.of(tree));
        while (!open.isEmpty()) {
            JsonNode node = open.pop();
            requireStorable(name, node);
            node.forEach(open::push);
        }
    }

    private static void requireStorable(String name, JsonNode node) {
        if (node.isObject()) {
            node.propertyNames().forEach(field -> requireStorable(name, field));
        }
        if (node.isString()) {
            requireStorable(name, node.stringValue());
        }
        require(
                !node.isNumber() || Double.isFinite(node.asDouble(Double.NaN)),
                name,
                "must contain only finite numbers");
    }

    private static void requireStorable(String name, String text) {
        require(
                text.length() <= MAX_TEXT_CHARACTERS && DisplayText.isValid(text),
                name,
                "must contain only texts of at most %d characters, without control characters or line separators"
                        .formatted(MAX_TEXT_CHARACTERS));
    }

    private static void require(boolean holds, String name, String rule) {
        if (!holds) {
            throw invalid(name, rule);
        }
    }

    private static Problem invalid(String name, String rule) {
        return Problem.of(ErrorCode.INVALID_BUNDLE, List.of(new Violation("/" + name, rule, null)));
    }
}
