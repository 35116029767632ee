package dev.equipoise.app.bundle;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Mismatch;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.Violation;
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
 * The files of a bundle that came from elsewhere: no more and no larger ones than may be, each as
 * its manifest says. Their names are names alone: none is ever a path on a disk.
 */
final class BundleFiles {

    /** Each run has two at most; beside them there are a few. */
    static final int MOST_FILES = 2_010;

    /** Of one, as it was before it was packed. */
    static final int MOST_BYTES = 16 << 20;

    /** Of all together. */
    static final int MOST_BYTES_IN_ALL = 64 << 20;

    private static final Pattern NAME = Pattern.compile("([a-z]{1,20}/)?[a-z0-9-]{1,50}\\.json");
    private static final int LONGEST_TEXT = 20_000;

    /** Of a file, as a value, a name, or the beginning or end of an object or a list. */
    static final int MOST_TOKENS = 1_500_000;

    /** Objects and lists in one another. */
    static final int DEEPEST = 100;

    /** A tree takes many times the bytes of what it is read from, and some more than others. */
    private static final JsonMapper TREES =
            JsonMapper.builder(
                            JsonFactory.builder()
                                    .streamReadConstraints(
                                            StreamReadConstraints.builder()
                                                    .maxTokenCount(MOST_TOKENS)
                                                    .maxNestingDepth(DEEPEST)
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
        long left = MOST_BYTES_IN_ALL;
        try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(zip))) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                String name = entry.getName();
                require(NAME.matcher(name).matches(), name, "is no name of a file of a bundle");
                require(
                        files.size() < MOST_FILES,
                        name,
                        "is one of more than %d files".formatted(MOST_FILES));
                int most = (int) Math.min(MOST_BYTES, left);
                byte[] bytes = in.readNBytes(most + 1);
                require(bytes.length <= most, name, "has more than %d bytes".formatted(most));
                require(files.put(name, bytes) == null, name, "is there twice");
                left -= bytes.length;
            }
        } catch (IOException | IllegalArgumentException broken) {
            throw refused("", "must be a zip that can be read to its end");
        }
        require(files.containsKey(Manifest.PATH), Manifest.PATH, "is needed");
        return files;
    }

    private void check(Manifest manifest) {
        require(
                Manifest.FORMAT.equals(manifest.format()),
                Manifest.PATH,
                "must be of format %s, but is of %s".formatted(Manifest.FORMAT, manifest.format()));
        Set<String> told = new HashSet<>();
        for (Manifest.Content file : manifest.files()) {
            byte[] bytes = files.get(file.path());
            require(bytes != null && told.add(file.path()), file.path(), "must be there once");
            require(
                    bytes != null
                            && bytes.length == file.bytes()
                            && Checksum.of(bytes).equals(file.sha256()),
                    file.path(),
                    "is not what the manifest tells: another size or checksum");
        }
        told.add(Manifest.PATH);
        files.keySet().forEach(name -> require(told.contains(name), name, "is in no manifest"));
    }

    Manifest manifest() {
        return read(Manifest.PATH, Manifest.class);
    }

    /** The same of bundles with the same content. */
    String checksum() {
        return Checksum.of(content(Manifest.PATH));
    }

    /** Those in a folder, in the order of their names. */
    List<String> in(String folder) {
        return files.keySet().stream().filter(name -> name.startsWith(folder + "/")).toList();
    }

    /**
     * A file as JSON.
     *
     * @throws Problem {@code invalid-bundle} where it is none, or holds what cannot be stored
     */
    JsonNode tree(String name) {
        try {
            JsonNode tree = TREES.readTree(content(name));
            require(!tree.isMissingNode(), name, "must not be empty");
            requireStorable(name, tree);
            return tree;
        } catch (StreamConstraintsException excessive) {
            throw refused(
                    name,
                    "must be JSON of at most %d values, nested at most %d deep, without a text or a number that is longer than any"
                            .formatted(MOST_TOKENS, DEEPEST));
        } catch (JacksonException malformed) {
            throw refused(name, "must be JSON");
        }
    }

    /**
     * A file as what it stands for.
     *
     * @throws Problem {@code invalid-bundle} where it does not
     */
    <T> T read(String name, Class<T> type) {
        JsonNode tree = tree(name);
        require(tree.isObject(), name, "must be an object");
        try {
            return json.treeToValue(tree, type);
        } catch (DatabindException mismatch) {
            Violation violation = Mismatch.violation(mismatch);
            throw refused(name + violation.pointer(), violation.rule());
        }
    }

    private byte[] content(String name) {
        byte[] content = files.get(name);
        if (content == null) {
            throw refused(name, "is needed");
        }
        return content;
    }

    /** No database takes NUL, and no figure is without a bound. */
    private static void requireStorable(String name, JsonNode tree) {
        Deque<JsonNode> open = new ArrayDeque<>(List.of(tree));
        while (!open.isEmpty()) {
            JsonNode node = open.pop();
            if (node.isObject()) {
                node.propertyNames().forEach(field -> requireStorable(name, field));
            }
            if (node.isString()) {
                requireStorable(name, node.stringValue());
            }
            require(
                    !node.isNumber() || Double.isFinite(node.asDouble(Double.NaN)),
                    name,
                    "must hold finite numbers alone");
            node.forEach(open::push);
        }
    }

    private static void requireStorable(String name, String text) {
        require(
                text.length() <= LONGEST_TEXT && text.indexOf('\0') < 0,
                name,
                "must hold texts of at most %d characters, none of them NUL"
                        .formatted(LONGEST_TEXT));
    }

    private static void require(boolean holds, String name, String rule) {
        if (!holds) {
            throw refused(name, rule);
        }
    }

    private static Problem refused(String name, String rule) {
        return Problem.of(ErrorCode.INVALID_BUNDLE, List.of(new Violation("/" + name, rule, null)));
    }
}
