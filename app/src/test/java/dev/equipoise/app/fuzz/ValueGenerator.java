package dev.equipoise.app.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Generates values of JSON schemas, at their limits too, and corrupts values. */
final class ValueGenerator {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    /** Nesting at which generated values end. */
    private static final int MAX_DEPTH = 8;

    /** Most items of a generated array, where the schema allows as many. */
    private static final int MAX_ITEMS = 100;

    /** Longest generated text, in characters, where the schema allows as many. */
    private static final int MAX_TEXT = 1000;

    /** Marks in a tree the place of text that no tree can hold. */
    private static final String MARK = "@@mark@@";

    private static final List<String> TEXTS =
            List.of(
                    "a",
                    "json",
                    "-at",
                    "-queuedAt",
                    "train/loss",
                    "mnist-cnn",
                    "training-step:mnist-cnn",
                    "bsp.4-0",
                    "a b",
                    "e\u0301 \u00e4\u00df",
                    "\u540d\u524d",
                    "\ud83d\ude00",
                    "'; drop table run; --",
                    "%s%n${jndi:ldap://x}",
                    "../../etc/passwd");

    private static final List<String> INSTANTS =
            List.of(
                    "2026-11-27T00:00:00Z",
                    "2026-11-27T00:00:00.123456789+14:00",
                    "1970-01-01T00:00:00Z",
                    "0000-01-01T00:00:00Z",
                    "9999-12-31T23:59:59Z",
                    "+1000000000-12-31T23:59:59.999999999Z",
                    "-1000000000-01-01T00:00:00Z");

    /** Values for parameters of any type. */
    private static final List<String> HOSTILE_TEXTS =
            List.of(
                    "",
                    " ",
                    "seven",
                    "-1",
                    "0",
                    "2147483648",
                    "99999999999999999999",
                    "1e400",
                    "NaN",
                    "-Infinity",
                    "null",
                    "[]",
                    "{}",
                    "a,b,,",
                    "\0",
                    "a\0b",
                    "\u0007\u001b[31m\r\n",
                    "\u202e\ufeff\uffff",
                    "\ud800",
                    "%",
                    "+999999999-12-31T23:59:59Z",
                    "-999999999-01-01T00:00:00Z",
                    "2026-13-45T99:99:99Z",
                    "ffffffff-ffff-ffff-ffff-ffffffffffff",
                    "1-1-1-1-1",
                    "n".repeat(3000));

    /** JSON texts of values of other types and sizes, and of what is no JSON. */
    private static final List<String> HOSTILE_JSON =
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
                    "1e-400",
                    "1e400",
                    "-1e999999999",
                    "2147483648",
                    "9223372036854775808",
                    "1" + "0".repeat(900),
                    "NaN",
                    "01",
                    "'x'",
                    "\"\\u0000\"",
                    "\"\\ud800\"",
                    "\"\\udc00x\"",
                    "\"\\u0007\\u001b[31m\\r\\n\"",
                    "\"\\u202e\\ufeff\\uffff\"",
                    "\"a\nb\"",
                    "\"" + "n".repeat(20_000) + "\"",
                    "\"'; drop table run; --\"",
                    "[" + "1,".repeat(2000) + "1]",
                    "[".repeat(2000),
                    "\"ffffffff-ffff-ffff-ffff-ffffffffffff\"");

    private final Random random;
    private final JsonNode schemas;
    private final IdPool ids;

    /**
     * Creates a generator.
     *
     * @param schemas the components of the description
     */
    ValueGenerator(Random random, JsonNode schemas, IdPool ids) {
        this.random = random;
        this.schemas = schemas;
        this.ids = ids;
    }

    <T> T pick(List<T> items) {
        return items.get(random.nextInt(items.size()));
    }

    String hostileText() {
        return pick(HOSTILE_TEXTS);
    }

    /**
     * Returns a value that the schema allows.
     *
     * @param name of the field or parameter, which tells whose id an id is
     */
    JsonNode valid(JsonNode schema, String name) {
        return valid(schema, name, 0);
    }

    private JsonNode valid(JsonNode schema, String name, int depth) {
        JsonNode resolved = resolved(schema);
        if (depth > MAX_DEPTH) {
            return NODES.nullNode();
        }
        if (resolved.has("oneOf")) {
            return valid(item(resolved.path("oneOf")), name, depth + 1);
        }
        if (resolved.has("enum")) {
            return item(resolved.path("enum"));
        }
        return switch (type(resolved)) {
            case "object" -> object(resolved, depth);
            case "array" -> array(resolved, name, depth);
            case "integer" -> NODES.numberNode(integer(resolved));
            case "number" -> NODES.numberNode(number(resolved));
            case "boolean" -> NODES.booleanNode(random.nextBoolean());
            case "string" -> NODES.stringNode(text(resolved, name));
            default -> NODES.nullNode();
        };
    }

    private JsonNode resolved(JsonNode schema) {
        String reference = schema.path("$ref").asString("");
        return reference.isEmpty()
                ? schema
                : schemas.path(reference.substring(reference.lastIndexOf('/') + 1));
    }

    private JsonNode item(JsonNode array) {
        return array.get(random.nextInt(array.size()));
    }

    private String type(JsonNode schema) {
        JsonNode type = schema.path("type");
        return type.isArray() ? item(type).stringValue() : type.asString("");
    }

    /** Omits some nullable fields. */
    private ObjectNode object(JsonNode schema, int depth) {
        ObjectNode object = NODES.objectNode();
        for (Map.Entry<String, JsonNode> field : schema.path("properties").properties()) {
            if (!isNullable(field.getValue()) || random.nextInt(3) > 0) {
                object.set(field.getKey(), valid(field.getValue(), field.getKey(), depth + 1));
            }
        }
        JsonNode others = schema.path("additionalProperties");
        for (int number = random.nextInt(3); others.isObject() && number > 0; number--) {
            object.set("field-" + number, valid(others, "", depth + 1));
        }
        return object;
    }

    private static boolean isNullable(JsonNode schema) {
        return schema.path("type").isArray() || schema.has("oneOf");
    }

    private ArrayNode array(JsonNode schema, String name, int depth) {
        int least = schema.path("minItems").asInt(0);
        int most = Math.min(MAX_ITEMS, schema.path("maxItems").asInt(MAX_ITEMS));
        int size =
                switch (random.nextInt(8)) {
                    case 0 -> least;
                    case 1 -> depth < 3 ? most : least;
                    default -> Math.clamp(random.nextInt(4), least, most);
                };
        ArrayNode array = NODES.arrayNode();
        for (int number = 0; number < size; number++) {
            array.add(valid(schema.path("items"), name, depth + 1));
        }
        return array;
    }

    private long integer(JsonNode schema) {
        boolean isLong = schema.path("format").asString("").equals("int64");
        long least = schema.path("minimum").asLong(isLong ? Long.MIN_VALUE : Integer.MIN_VALUE);
        long most = schema.path("maximum").asLong(isLong ? Long.MAX_VALUE : Integer.MAX_VALUE);
        long value =
                switch (random.nextInt(8)) {
                    case 0 -> least;
                    case 1 -> most;
                    case 2 -> 0L;
                    default -> random.nextInt(100);
                };
        return Math.clamp(value, least, most);
    }

    private double number(JsonNode schema) {
        double least = schema.path("minimum").asDouble(-Double.MAX_VALUE);
        double most = schema.path("maximum").asDouble(Double.MAX_VALUE);
        double value =
                switch (random.nextInt(8)) {
                    case 0 -> least;
                    case 1 -> most;
                    case 2 -> Double.MIN_VALUE;
                    case 3 -> 0.0;
                    default -> random.nextDouble() * 100;
                };
        return Math.clamp(value, least, most);
    }

    private String text(JsonNode schema, String name) {
        return switch (schema.path("format").asString("")) {
            case "uuid" -> ids.any(name);
            case "date-time" -> pick(INSTANTS);
            default ->
                    schema.has("pattern")
                            ? matching(schema.path("pattern").stringValue())
                            : ofLength(schema);
        };
    }

    private String matching(String pattern) {
        Pattern compiled = Pattern.compile(pattern);
        List<String> fitting = TEXTS.stream().filter(it -> compiled.matcher(it).matches()).toList();
        return fitting.isEmpty() ? "a" : pick(fitting);
    }

    private String ofLength(JsonNode schema) {
        int least = schema.path("minLength").asInt(0);
        int most = Math.min(MAX_TEXT, schema.path("maxLength").asInt(MAX_TEXT));
        return switch (random.nextInt(6)) {
            case 0 -> "n".repeat(least);
            case 1 -> "n".repeat(most);
            default -> {
                String text = pick(TEXTS);
                yield text.length() < least ? text + "n".repeat(least) : text;
            }
        };
    }

    /** Returns a JSON text in which one place of a value is another value, missing or surplus. */
    String corrupted(JsonNode valid) {
        JsonNode copy = valid.deepCopy();
        List<JsonNode> containers = new ArrayList<>();
        collect(copy, containers);
        if (containers.isEmpty()) {
            return pick(HOSTILE_JSON);
        }
        JsonNode container = pick(containers);
        return switch (random.nextInt(8)) {
            case 0 -> pick(HOSTILE_JSON);
            case 1 -> copy.toString().substring(0, random.nextInt(copy.toString().length()));
            case 2 -> without(copy, container);
            case 3 -> withSurplus(copy, container);
            default -> withHostile(copy, container);
        };
    }

    private static void collect(JsonNode node, List<JsonNode> containers) {
        if (node.isContainer() && node.size() > 0) {
            containers.add(node);
            node.values().forEach(it -> collect(it, containers));
        }
    }

    private String without(JsonNode all, JsonNode container) {
        if (container instanceof ObjectNode object) {
            object.remove(pick(List.copyOf(object.propertyNames())));
        } else if (container instanceof ArrayNode array) {
            array.remove(random.nextInt(array.size()));
        }
        return all.toString();
    }

    private String withSurplus(JsonNode all, JsonNode container) {
        if (container instanceof ObjectNode object) {
            object.put("surplus", 1);
        } else if (container instanceof ArrayNode array) {
            array.add(array.get(random.nextInt(array.size())).deepCopy());
        }
        return all.toString();
    }

    private String withHostile(JsonNode all, JsonNode container) {
        if (container instanceof ObjectNode object) {
            object.put(pick(List.copyOf(object.propertyNames())), MARK);
        } else if (container instanceof ArrayNode array) {
            array.set(random.nextInt(array.size()), MARK);
        }
        return all.toString().replace("\"" + MARK + "\"", pick(HOSTILE_JSON));
    }
}
