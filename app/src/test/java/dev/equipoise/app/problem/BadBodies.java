package dev.equipoise.app.problem;

import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Corrupts valid bodies in the ways that a client, a proxy or an attacker may. */
final class BadBodies {

    static final String JSON = "application/json";
    static final String YAML = "application/yaml";
    static final String CSV = "text/csv";
    static final String ZIP = "application/zip";
    static final String BYTES = "application/octet-stream";

    /** Marks in a tree the place of text that no tree can hold. */
    private static final String MARK = "@@mark@@";

    private static final int LONG_NAME = 5 << 20;
    private static final int NESTING_DEPTH = 10_000;

    /** Values that make any text that contains them invalid JSON. */
    private static final List<String> INVALID_VALUES =
            List.of("NaN", "-Infinity", "+1", "01", ".5", "'x'", "\"\u0007\"", "\"a\nb\"", "nul");

    /** Values of other types and sizes. */
    private static final List<String> VALUES =
            List.of(
                    "null",
                    "true",
                    "{}",
                    "[]",
                    "[null]",
                    "[[]]",
                    "{\"\": {}}",
                    "\"\"",
                    "\" \"",
                    "\"x\"",
                    "0",
                    "-0.0",
                    "-1",
                    "0.5",
                    "2147483648",
                    "9223372036854775808",
                    "-9223372036854775809",
                    "1e400",
                    "-1e400",
                    "1e999999999",
                    "1e-400",
                    "1" + "0".repeat(900),
                    "1" + "0".repeat(5000),
                    "\"\\u0000\"",
                    "\"a\\u0000b\"",
                    "\"\\ud800\"",
                    "\"\\udc00x\"",
                    "\"\\u0007\\u001b[31m\\r\\n\"",
                    "\"\\u202e\\ufeff\\uffff\"",
                    "\"NaN\"",
                    "\"" + "n".repeat(100_000) + "\"",
                    "\"../../etc/passwd\"",
                    "\"'; drop table run; --\"",
                    "\"%s%n${jndi:ldap://x}\"",
                    "[" + "1,".repeat(20_000) + "1]");

    private final Random random;

    BadBodies(Random random) {
        this.random = random;
    }

    /** Returns all bodies that are no longer JSON, and a number of other random ones. */
    List<BadBody> ofJson(JsonNode valid, int others) {
        Stream<BadBody> more = pointers(valid).stream().map(it -> surplus(valid, it, true));
        return bodies(valid, more, others);
    }

    /** Returns such bodies for calls of agents, which may contain unknown fields. */
    List<BadBody> ofAgentsJson(JsonNode valid, int others) {
        Stream<BadBody> more = pointers(valid).stream().map(it -> surplus(valid, it, false));
        return bodies(valid, more, others);
    }

    private List<BadBody> bodies(JsonNode valid, Stream<BadBody> more, int others) {
        List<BadBody> suspect = Stream.concat(suspectJson(valid).stream(), more).toList();
        return Stream.concat(invalidJson(valid).stream(), some(suspect, others)).toList();
    }

    private static BadBody surplus(JsonNode valid, String pointer, boolean invalid) {
        String fault = "another field at " + pointer;
        return invalid
                ? BadBody.invalid(fault, JSON, more(valid, pointer))
                : BadBody.suspect(fault, JSON, more(valid, pointer));
    }

    /** Returns such bodies for calls that take a definition, which may be YAML. */
    List<BadBody> ofYaml(String valid) {
        return List.of(
                BadBody.invalid("aliases of aliases", YAML, bomb(valid)),
                BadBody.invalid("an alias", YAML, valid + "seeds: &s [1]\nmatrix: *s\n"),
                BadBody.invalid("an alias of itself", YAML, valid + "seeds: &s [*s]\n"),
                BadBody.invalid("an alias of nothing", YAML, valid + "seeds: *s\n"),
                BadBody.invalid("a tag", YAML, valid + "seeds: !!gadget.Loader [[1]]\n"),
                BadBody.invalid("a local tag", YAML, valid + "seeds: !load [1]\n"),
                BadBody.invalid("a second document", YAML, valid + "---\nname: second\n"),
                BadBody.invalid("a field twice", YAML, valid + "seeds: [1]\nseeds: [2]\n"),
                BadBody.invalid("nested deep", YAML, valid + "seeds: " + "[".repeat(NESTING_DEPTH)),
                BadBody.invalid(
                        "nested deep and closed",
                        YAML,
                        valid + "seeds: " + "[".repeat(NESTING_DEPTH) + "]".repeat(NESTING_DEPTH)),
                BadBody.invalid("a NUL", YAML, valid + "seeds: [\"\0\"]\n"),
                BadBody.invalid("an escaped NUL", YAML, valid + "seeds: [\"\\0\"]\n"),
                BadBody.invalid("a control character", YAML, valid + "seeds: [\u0007]\n"),
                BadBody.invalid("a tab", YAML, valid + "\tseeds: [1]\n"),
                BadBody.invalid("no number", YAML, valid + "seeds: [.nan, .inf]\n"),
                BadBody.invalid("a huge number", YAML, valid + "seeds: [1e400]\n"),
                BadBody.invalid(
                        "a huge integer",
                        YAML,
                        valid + "seeds: [1%s]\n".formatted("0".repeat(2000))),
                BadBody.invalid("a merge key", YAML, valid + "<<: {seeds: [1]}\n"),
                BadBody.invalid("a key that is a list", YAML, valid + "? [a, b]\n: 1\n"),
                BadBody.invalid(
                        "a directive",
                        YAML,
                        "%YAML 9.9\n%TAG ! tag:x,1:\n---\n" + valid + "seeds: !x 1\n"),
                BadBody.invalid("half of it", YAML, valid + "seeds: [1"),
                BadBody.invalid(
                        "no UTF-8",
                        YAML,
                        spliced(valid + "seeds: [\"", new byte[] {(byte) 0xff}, "\"]\n")),
                BadBody.invalid(
                        "UTF-16", YAML, (valid + "seeds: [1]\n").getBytes(StandardCharsets.UTF_16)),
                BadBody.invalid(
                        "too many values",
                        YAML,
                        valid + "seeds: [%s1]\n".formatted("1,".repeat(60_000))),
                BadBody.invalid("empty", YAML, ""),
                BadBody.invalid("a comment", YAML, "# nothing\n"),
                BadBody.invalid("a word", YAML, "nothing"),
                BadBody.invalid("null", YAML, "~"),
                BadBody.invalid("5 MB", YAML, "name: " + "n".repeat(LONG_NAME)));
    }

    /** Returns texts with corrupted lines. */
    List<BadBody> ofLines(String valid, String type, int count) {
        List<String> pieces =
                List.of(
                        "",
                        "\0",
                        "\u0007",
                        ",",
                        "#",
                        "-1",
                        "1e400",
                        "NaN",
                        "Infinity",
                        "9223372036854775808",
                        "\"",
                        "\r",
                        "x".repeat(100_000),
                        "1".repeat(500),
                        "\u202e",
                        "# load: 0",
                        "# date: +999999999-12-31T23:59:59Z",
                        "\n\n");
        return Stream.generate(
                        () -> {
                            int at = random.nextInt(valid.length());
                            int to = Math.min(valid.length(), at + random.nextInt(12));
                            String piece = pieces.get(random.nextInt(pieces.size()));
                            return BadBody.suspect(
                                    "another piece at " + at,
                                    type,
                                    valid.substring(0, at) + piece + valid.substring(to));
                        })
                .limit(count)
                .toList();
    }

    /** Returns bytes of which some are replaced or the end is missing. */
    List<BadBody> ofBytes(byte[] valid, String type, int count) {
        return Stream.concat(
                        Stream.of(
                                BadBody.invalid("empty", type, ""),
                                BadBody.invalid("a text", type, "{}"),
                                BadBody.invalid("of another type", JSON, valid),
                                BadBody.invalid("of no type", null, valid),
                                BadBody.invalid("20 MB", type, new byte[20 << 20]),
                                BadBody.invalid(
                                        "half", type, Arrays.copyOf(valid, valid.length / 2))),
                        Stream.generate(() -> corrupted(valid, type)).limit(count))
                .toList();
    }

    private BadBody corrupted(byte[] valid, String type) {
        byte[] bytes = valid.clone();
        int at = random.nextInt(bytes.length);
        for (int next = at; next < Math.min(bytes.length, at + 1 + random.nextInt(8)); next++) {
            bytes[next] = (byte) random.nextInt(256);
        }
        return BadBody.suspect("other bytes at " + at, type, bytes);
    }

    private static List<BadBody> invalidJson(JsonNode valid) {
        String text = valid.toString();
        List<BadBody> bodies = new ArrayList<>();
        for (String type :
                Arrays.asList(
                        null,
                        "text/plain",
                        "application/xml",
                        "application/octet-stream",
                        "application/x-www-form-urlencoded",
                        "multipart/form-data; boundary=x")) {
            bodies.add(BadBody.invalid("of type " + type, type, text));
        }
        for (String no : INVALID_VALUES) {
            bodies.add(BadBody.invalid("no value", JSON, with(valid, no)));
        }
        List.of("", " ", "null", "[]", "\"x\"", "1", "true", "{]", "{\"a\" 1}", "\0", "\ufeff")
                .forEach(each -> bodies.add(BadBody.invalid("no object", JSON, each)));
        List.of(1, text.length() / 3, text.length() / 2, text.length() - 1)
                .forEach(length ->
                        bodies.add(BadBody.invalid("cut", JSON, text.substring(0, length))));
        bodies.add(BadBody.invalid("more behind", JSON, text + text));
        bodies.add(BadBody.invalid("nested deep", JSON, with(valid, "[".repeat(NESTING_DEPTH))));
        bodies.add(
                BadBody.invalid(
                        "nested deep and closed",
                        JSON,
                        with(valid, "[".repeat(NESTING_DEPTH) + "]".repeat(NESTING_DEPTH))));
        bodies.add(
                BadBody.invalid(
                        "objects nested deep",
                        JSON,
                        with(
                                valid,
                                "{\"a\":".repeat(NESTING_DEPTH)
                                        + "1"
                                        + "}".repeat(NESTING_DEPTH))));
        bodies.add(
                BadBody.invalid(
                        "a name of 5 MB", JSON, with(valid, "\"" + "n".repeat(LONG_NAME) + "\"")));
        bodies.add(
                BadBody.invalid(
                        "a field of 5 MB",
                        JSON,
                        "{\"" + "n".repeat(LONG_NAME) + "\": 1," + text.substring(1)));
        bodies.add(
                BadBody.invalid(
                        "a field of 100 KB",
                        JSON,
                        "{\"" + "n".repeat(100_000) + "\": 1," + text.substring(1)));
        for (byte[] bytes :
                List.of(
                        new byte[] {(byte) 0xff},
                        new byte[] {(byte) 0xc0, (byte) 0x80},
                        new byte[] {(byte) 0xc0, (byte) 0xaf},
                        new byte[] {(byte) 0xf0, (byte) 0x82, (byte) 0x82, (byte) 0xac},
                        new byte[] {(byte) 0xed, (byte) 0xa0, (byte) 0x80},
                        new byte[] {(byte) 0xe2, (byte) 0x82})) {
            bodies.add(
                    BadBody.invalid(
                            "no UTF-8",
                            JSON,
                            spliced("{\"name\": \"", bytes, "\"," + text.substring(1))));
        }
        for (Charset charset :
                List.of(
                        StandardCharsets.UTF_16,
                        StandardCharsets.UTF_16LE,
                        StandardCharsets.UTF_16BE,
                        Charset.forName("UTF-32"))) {
            bodies.add(BadBody.invalid("in " + charset, JSON, text.getBytes(charset)));
        }
        return bodies;
    }

    /** Adds a field with any text as its value. */
    private static String with(JsonNode valid, String value) {
        return "{\"name\":" + value + "," + valid.toString().substring(1);
    }

    private static List<BadBody> suspectJson(JsonNode valid) {
        List<BadBody> bodies = new ArrayList<>();
        for (String pointer : pointers(valid)) {
            VALUES.forEach(value ->
                    bodies.add(
                            BadBody.suspect(
                                    "another value at " + pointer,
                                    JSON,
                                    replaced(valid, pointer, value))));
            bodies.add(BadBody.suspect("nothing at " + pointer, JSON, without(valid, pointer)));
            bodies.add(BadBody.invalid("twice " + pointer, JSON, twice(valid, pointer)));
        }
        return bodies;
    }

    private Stream<BadBody> some(List<BadBody> bodies, int count) {
        List<BadBody> shuffled = new ArrayList<>(bodies);
        Collections.shuffle(shuffled, random);
        return shuffled.stream().limit(count);
    }

    private static List<String> pointers(JsonNode node) {
        List<String> pointers = new ArrayList<>();
        collect(node, "", pointers);
        return pointers;
    }

    private static void collect(JsonNode node, String at, List<String> pointers) {
        if (node instanceof ObjectNode object) {
            object.properties()
                    .forEach(field -> {
                        String pointer =
                                at + "/" + field.getKey().replace("~", "~0").replace("/", "~1");
                        pointers.add(pointer);
                        collect(field.getValue(), pointer, pointers);
                    });
        }
        if (node instanceof ArrayNode array) {
            for (int index = 0; index < array.size(); index++) {
                pointers.add(at + "/" + index);
                collect(array.get(index), at + "/" + index, pointers);
            }
        }
    }

    private static String replaced(JsonNode valid, String pointer, String value) {
        JsonNode copy = valid.deepCopy();
        switch (copy.at(parent(pointer))) {
            case ObjectNode object -> object.put(last(pointer), MARK);
            case ArrayNode array -> array.set(Integer.parseInt(last(pointer)), MARK);
            default -> throw new IllegalArgumentException(pointer);
        }
        return copy.toString().replace("\"" + MARK + "\"", value);
    }

    private static String without(JsonNode valid, String pointer) {
        JsonNode copy = valid.deepCopy();
        switch (copy.at(parent(pointer))) {
            case ObjectNode object -> object.remove(last(pointer));
            case ArrayNode array -> array.remove(Integer.parseInt(last(pointer)));
            default -> throw new IllegalArgumentException(pointer);
        }
        return copy.toString();
    }

    /** Adds a field beside the given one, or beside the list that contains it. */
    private static String more(JsonNode valid, String pointer) {
        JsonNode copy = valid.deepCopy();
        String at = pointer;
        while (!(copy.at(parent(at)) instanceof ObjectNode)) {
            at = parent(at);
        }
        ((ObjectNode) copy.at(parent(at))).put("surplus" + last(at), 1);
        return copy.toString();
    }

    private static String twice(JsonNode valid, String pointer) {
        JsonNode copy = valid.deepCopy();
        String at = pointer;
        while (!(copy.at(parent(at)) instanceof ObjectNode)) {
            at = parent(at);
        }
        ObjectNode object = (ObjectNode) copy.at(parent(at));
        String value = object.get(last(at)).toString();
        object.put(last(at), MARK);
        String name = JsonMapper.shared().writeValueAsString(last(at));
        return copy.toString()
                .replace("\"" + MARK + "\"", "%s,%s:%s".formatted(value, name, value));
    }

    private static String parent(String pointer) {
        return pointer.substring(0, pointer.lastIndexOf('/'));
    }

    private static String last(String pointer) {
        return pointer.substring(pointer.lastIndexOf('/') + 1)
                .replace("~1", "/")
                .replace("~0", "~");
    }

    /** Nests aliases that expand to 10 to the power of 11 words. */
    private static String bomb(String valid) {
        StringBuilder text = new StringBuilder(valid).append("bomb:\n  a0: &a0 [lol]\n");
        for (int level = 1; level < 12; level++) {
            text.append(
                    "  a%d: &a%d [%s]\n"
                            .formatted(
                                    level,
                                    level,
                                    String.join(",", Collections.nCopies(10, "*a" + (level - 1)))));
        }
        return text.toString();
    }

    private static byte[] spliced(String before, byte[] bytes, String after) {
        var all = new ByteArrayOutputStream();
        all.writeBytes(before.getBytes(StandardCharsets.UTF_8));
        all.writeBytes(bytes);
        all.writeBytes(after.getBytes(StandardCharsets.UTF_8));
        return all.toByteArray();
    }
}
