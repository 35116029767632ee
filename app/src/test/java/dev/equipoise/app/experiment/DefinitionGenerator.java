package dev.equipoise.app.experiment;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Generates definitions from their schema, without a parameter grid. A definition may lack a field
 * that must be given, since the generator does not evaluate conditions of the schema.
 */
final class DefinitionGenerator {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final String AUTO = "auto";

    /** Fields by which the variants of a choice differ. */
    private static final List<String> DISCRIMINATORS = List.of("kind", "name", "preset");

    /**
     * A generated value.
     *
     * @param schema without references
     */
    record Place(String pointer, JsonNode schema) {}

    /**
     * A generated definition.
     *
     * @param places its values, the whole definition first
     * @param words the words that the schema allows, by pointer
     */
    record Generated(ObjectNode definition, List<Place> places, Map<String, Set<String>> words) {}

    private final JsonNode schema;
    private final Random random;
    private final Set<String> required = new TreeSet<>();
    private List<Place> places = new ArrayList<>();
    private Map<String, Set<String>> words = new HashMap<>();

    DefinitionGenerator(JsonNode schema, Random random) {
        this.schema = schema;
        this.random = random;
        collectRequired(schema);
    }

    private void collectRequired(JsonNode node) {
        node.path("required").valueStream().forEach(it -> required.add(it.asString()));
        node.valueStream().filter(JsonNode::isContainer).forEach(this::collectRequired);
    }

    /** Returns the schema to which a reference leads, or the schema itself. */
    JsonNode resolved(JsonNode node) {
        return node.has("$ref") ? schema.at(node.path("$ref").stringValue().substring(1)) : node;
    }

    Generated next() {
        places = new ArrayList<>();
        words = new HashMap<>();
        return new Generated((ObjectNode) value(schema, ""), places, words);
    }

    private JsonNode value(JsonNode node, String pointer) {
        JsonNode here = resolved(node);
        if (here.has("oneOf")) {
            here.path("oneOf").valueStream().forEach(it -> noteVariant(resolved(it), pointer));
            return value(pick(List.copyOf(here.path("oneOf").values())), pointer);
        }
        places.add(new Place(pointer, here));
        if (here.has("const")) {
            return here.path("const");
        }
        if (here.has("enum")) {
            note(here, pointer);
            return pick(List.copyOf(here.path("enum").values()));
        }
        return switch (here.path("type").asString("")) {
            case "object" -> object(here, pointer);
            case "array" -> array(here, pointer);
            case "integer" -> NODES.numberNode(integer(here));
            case "number" -> NODES.numberNode(number(here));
            case "boolean" -> NODES.booleanNode(random.nextBoolean());
            case "string" -> NODES.stringNode(text(here));
            default -> throw new IllegalStateException("no type: " + here);
        };
    }

    /** Notes the word by which a variant is chosen. */
    private void noteVariant(JsonNode variant, String pointer) {
        for (String field : DISCRIMINATORS) {
            note(resolved(variant.path("properties").path(field)), pointer + "/" + field);
        }
    }

    private void note(JsonNode node, String pointer) {
        Set<String> allowed = words.computeIfAbsent(pointer, _ -> new TreeSet<>());
        if (node.has("const")) {
            allowed.add(node.path("const").asString());
        }
        node.path("enum").valueStream().forEach(it -> allowed.add(it.asString()));
        allowed.remove(AUTO);
    }

    private ObjectNode object(JsonNode node, String pointer) {
        ObjectNode object = NODES.objectNode();
        node.path("properties")
                .properties()
                .forEach(property -> {
                    String name = property.getKey();
                    if (!name.equals("matrix") && isIncluded(node, name, pointer)) {
                        object.set(name, value(property.getValue(), pointer + "/" + name));
                    }
                });
        JsonNode others = node.path("additionalProperties");
        for (int number = 0; others.isObject() && number < 2; number++) {
            object.set(String.valueOf(number), value(others, "%s/%d".formatted(pointer, number)));
        }
        return object;
    }

    /** A variant always has the field by which it differs: without it, it is another variant. */
    private boolean isIncluded(JsonNode object, String name, String pointer) {
        if (DISCRIMINATORS.contains(name)
                && object.path("required")
                        .valueStream()
                        .anyMatch(it -> it.asString().equals(name))) {
            return true;
        }
        if (!required.contains(name)) {
            return random.nextDouble() < 0.4;
        }
        return pointer.isEmpty() || random.nextDouble() < 0.9;
    }

    private ArrayNode array(JsonNode node, String pointer) {
        ArrayNode array = NODES.arrayNode();
        int least = node.path("minItems").asInt(0);
        int most = Math.min(node.path("maxItems").asInt(least + 2), least + 2);
        int size = random.nextInt(least, most + 1);
        for (int index = 0; index < size; index++) {
            array.add(value(node.path("items"), "%s/%d".formatted(pointer, index)));
        }
        return array;
    }

    private long integer(JsonNode node) {
        long least = node.path("minimum").longValue();
        long most = node.path("maximum").longValue();
        return switch (random.nextInt(5)) {
            case 0 -> least;
            case 1 -> most;
            default -> Math.clamp(1L + random.nextInt(9), least, most);
        };
    }

    private double number(JsonNode node) {
        double least = node.path("minimum").doubleValue();
        double most = node.path("maximum").doubleValue();
        return switch (random.nextInt(4)) {
            case 0 -> least;
            case 1 -> most;
            case 2 -> Math.clamp(0.5, least, most);
            default -> Math.clamp(1.0, least, most);
        };
    }

    private static String text(JsonNode node) {
        if (node.path("format").asString("").equals("uuid")) {
            return "aaaaaaaa-0000-4000-8000-000000000001";
        }
        return node.path("pattern").asString("").contains("{64}") ? "0".repeat(64) : "some-text";
    }

    private <T> T pick(List<T> items) {
        return items.get(random.nextInt(items.size()));
    }
}
