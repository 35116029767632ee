package dev.equipoise.app.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.configuration.Priority;
import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.experiment.DefinitionGenerator.Generated;
import dev.equipoise.app.experiment.DefinitionGenerator.Place;
import dev.equipoise.app.problem.Violation;
import dev.equipoise.testing.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Compares the schema of definitions with the reader. What the schema accepts, the reader accepts
 * or rejects by a rule about several fields; what the reader accepts, the schema accepts.
 */
class DefinitionSchemaTest {

    private static final int DEFINITIONS = 3000;
    private static final int MAX_BYTES = 128 << 10;
    private static final int MAX_FAULTS = 20;
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final String WRONG = "no-such-word";
    private static final Pattern LISTED = Pattern.compile(".*\\[(.*)].*", Pattern.DOTALL);

    /** Objects that the reader rejects as a whole beside other fields, without reading them. */
    private static final Pattern UNREAD =
            Pattern.compile("/dataset/augment.*|/execution/(points|speeds).*");

    private static final Pattern BLOCK =
            Pattern.compile(
                    "^```yaml\\n((?:#.*\\n)?apiVersion: .*?)^```",
                    Pattern.MULTILINE | Pattern.DOTALL);

    private final TestingSchema schema = new TestingSchema();
    private final long seed = Seeds.seed();
    private final Random random = new Random(seed);
    private final DefinitionGenerator generator = new DefinitionGenerator(schema.tree(), random);
    private final List<String> faults = new ArrayList<>();

    /** Calls a check with each generated definition that the schema accepts. */
    private void forEachDefinition(Consumer<Generated> check) {
        int valid = 0;
        for (int i = 0; i < DEFINITIONS && faults.size() < MAX_FAULTS; i++) {
            Generated generated = generator.next();
            if (schema.faults(generated.definition()).isEmpty()) {
                valid++;
                check.accept(generated);
            }
        }
        assertThat(faults).as("seed %d", seed).isEmpty();
        assertThat(valid).as("definitions without a missing field").isGreaterThan(DEFINITIONS / 8);
    }

    private void fault(String what, JsonNode definition) {
        faults.add(what + " in " + definition);
    }

    @Test
    void readerRejectsGeneratedDefinitionsOnlyByRulesAboutSeveralFields() {
        forEachDefinition(generated -> {
            List<Violation> violations = TestingSchema.violations(generated.definition());
            TestingSchema.ofFields(violations)
                    .forEach(it -> fault(it.toString(), generated.definition()));
        });
    }

    @Test
    void schemaAndReaderAgreeOnDefinitionsWithOneWrongValue() {
        forEachDefinition(generated -> {
            Place place = pick(generated.places().subList(1, generated.places().size()));
            if (place.pointer().equals("/seed")) {
                // Seeds take its place before it is read.
                return;
            }
            ObjectNode changed = generated.definition().deepCopy();
            change(changed, place);
            List<String> ofSchema = schema.faults(changed);
            List<Violation> ofReader = TestingSchema.violations(changed);
            if (!ofSchema.isEmpty() && ofReader.isEmpty()) {
                fault("only the schema rejects " + place.pointer() + ": " + ofSchema, changed);
            }
            if (ofSchema.isEmpty()) {
                TestingSchema.ofFields(ofReader)
                        .forEach(it -> fault("only the reader rejects " + it, changed));
            }
        });
    }

    /** Removes the value, or puts another one in its place. */
    private void change(ObjectNode definition, Place place) {
        String pointer = place.pointer();
        String name = pointer.substring(pointer.lastIndexOf('/') + 1);
        JsonNode parent = definition.at(pointer.substring(0, pointer.lastIndexOf('/')));
        boolean isRemoved = random.nextInt(5) == 0;
        if (parent instanceof ArrayNode list) {
            int index = Integer.parseInt(name);
            if (isRemoved) {
                list.remove(index);
            } else {
                list.set(index, other(place.schema()));
            }
        } else if (parent instanceof ObjectNode object) {
            if (isRemoved) {
                object.remove(name);
            } else {
                object.set(name, other(place.schema()));
            }
        }
    }

    /** Returns a value beyond a limit of the schema, or one of another type. */
    private JsonNode other(JsonNode of) {
        List<JsonNode> values =
                new ArrayList<>(
                        List.of(
                                NODES.nullNode(),
                                NODES.booleanNode(true),
                                NODES.numberNode(-1),
                                NODES.numberNode(0),
                                NODES.numberNode(0.5),
                                NODES.stringNode(WRONG),
                                NODES.stringNode(" "),
                                NODES.arrayNode(),
                                NODES.objectNode()));
        if (of.path("type").asString("").equals("number")) {
            values.add(NODES.numberNode(Math.nextDown(of.path("minimum").doubleValue())));
            values.add(NODES.numberNode(Math.nextUp(of.path("maximum").doubleValue())));
        } else if (of.has("maximum") && of.path("maximum").longValue() < Long.MAX_VALUE) {
            values.add(NODES.numberNode(of.path("minimum").longValue() - 1));
            values.add(NODES.numberNode(of.path("maximum").longValue() + 1));
        }
        return pick(values);
    }

    @Test
    void schemaAndReaderKnowTheSameFields() {
        IdentityHashMap<JsonNode, Set<String>> known = new IdentityHashMap<>();
        forEachDefinition(generated ->
                generated.places().stream()
                        .filter(_ -> random.nextInt(3) == 0)
                        .filter(it -> hasFields(it, generated.definition()))
                        .forEach(it -> noteFields(it, generated.definition(), known)));

        known.forEach((object, fields) ->
                assertThat(fields)
                        .as("fields of %s", object)
                        .containsAll(object.path("properties").propertyNames()));
        assertThat(known.keySet()).containsAll(closedObjects());
    }

    private void noteFields(
            Place place, ObjectNode definition, IdentityHashMap<JsonNode, Set<String>> known) {
        ObjectNode changed = definition.deepCopy();
        ((ObjectNode) changed.at(place.pointer())).put(WRONG, 1);
        Set<String> listed = listed(changed, place.pointer() + "/" + WRONG, "is not a field");
        if (listed.isEmpty() && UNREAD.matcher(place.pointer()).matches()) {
            return;
        }
        boolean isListed = !listed.isEmpty();
        listed.remove("");
        known.computeIfAbsent(place.schema(), _ -> new HashSet<>()).addAll(listed);
        Set<String> unknown = new TreeSet<>(listed);
        unknown.removeAll(place.schema().path("properties").propertyNames());
        // The reader names it only to reject it for data without images.
        if (place.pointer().equals("/dataset")) {
            unknown.remove("augment");
        }
        if (!isListed || !unknown.isEmpty()) {
            fault("fields %s of %s".formatted(listed, place.pointer()), changed);
        }
    }

    /** Tells whether the reader lists the fields of an object if one is unknown. */
    private static boolean hasFields(Place place, ObjectNode definition) {
        JsonNode value = definition.at(place.pointer());
        return isClosed(place.schema())
                && value.isObject()
                && !place.pointer().matches("/network/layers/\\d+")
                && !value.path("kind").asString("").equals("auto");
    }

    private static boolean isClosed(JsonNode object) {
        return object.path("additionalProperties").isBoolean();
    }

    /** Returns the objects of the schema whose fields the reader lists. */
    private List<JsonNode> closedObjects() {
        return nodes(schema.tree())
                .filter(DefinitionSchemaTest::isClosed)
                .filter(it -> !it.path("title").asString("").equals("auto"))
                .filter(it -> !isLayer(it))
                .toList();
    }

    /** Tells whether an object stands for a layer, with the name of its kind as its only field. */
    private static boolean isLayer(JsonNode object) {
        return object.path("properties").size() == 1
                && object.path("title")
                        .asString("")
                        .equals(object.path("properties").propertyNames().iterator().next());
    }

    @Test
    void schemaAndReaderKnowTheSameWords() {
        Set<Set<String>> compared = new HashSet<>();
        forEachDefinition(generated ->
                generated
                        .words()
                        .forEach((pointer, words) -> {
                            if (generated.definition().at(pointer).isString()) {
                                ObjectNode changed = generated.definition().deepCopy();
                                String parent = pointer.substring(0, pointer.lastIndexOf('/'));
                                String name = pointer.substring(parent.length() + 1);
                                if (!(changed.at(parent) instanceof ObjectNode object)) {
                                    return;
                                }
                                object.put(name, WRONG);
                                Set<String> listed = listed(changed, pointer, "must be one of [");
                                if (listed.isEmpty()) {
                                    listed = listed(changed, pointer + "/kind", "must be one of [");
                                }
                                // What the service chooses is no word of the reader, but one of the
                                // algorithms.
                                listed.remove("auto");
                                if (!listed.isEmpty() && !listed.equals(words)) {
                                    fault(
                                            "words %s, not %s, of %s"
                                                    .formatted(listed, words, pointer),
                                            changed);
                                }
                                compared.add(listed);
                            }
                        }));

        assertThat(compared).hasSizeGreaterThan(30);
    }

    /** Returns the list in the violation of a field; empty without such a violation. */
    private static Set<String> listed(JsonNode definition, String pointer, String rule) {
        return TestingSchema.violations(definition).stream()
                .filter(it -> it.pointer().equals(pointer) && it.rule().startsWith(rule))
                .map(it -> LISTED.matcher(it.rule()))
                .filter(Matcher::matches)
                .flatMap(it -> Arrays.stream(it.group(1).split(", ")))
                .collect(TreeSet::new, Set::add, Set::addAll);
    }

    /** Compares what is read with and without a default written out, violations included. */
    @Test
    void defaultsOfTheSchemaAreThoseOfTheReader() {
        IdentityHashMap<JsonNode, Set<String>> compared = new IdentityHashMap<>();
        forEachDefinition(generated ->
                generated.places().stream()
                        .filter(it -> generated.definition().at(it.pointer()).isObject())
                        .forEach(it -> compareDefaults(it, generated.definition(), compared)));

        nodes(schema.tree())
                .forEach(object ->
                        assertThat(compared.getOrDefault(object, Set.of()))
                                .as("compared defaults of %s", object)
                                .containsAll(defaults(object)));
    }

    private void compareDefaults(
            Place place, ObjectNode definition, IdentityHashMap<JsonNode, Set<String>> compared) {
        for (String name : defaults(place.schema())) {
            if (!definition.at(place.pointer()).has(name)) {
                compared.computeIfAbsent(place.schema(), _ -> new HashSet<>()).add(name);
                ObjectNode changed = definition.deepCopy();
                JsonNode fallback = place.schema().at("/properties/%s/default".formatted(name));
                ((ObjectNode) changed.at(place.pointer())).set(name, fallback);
                if (!result(definition).equals(result(changed))) {
                    fault("default of %s/%s".formatted(place.pointer(), name), definition);
                }
            }
        }
    }

    private static List<String> defaults(JsonNode object) {
        return object.path("properties").properties().stream()
                .filter(it -> it.getValue().has("default"))
                .map(Map.Entry::getKey)
                .toList();
    }

    private record Result(int priority, RunConfiguration configuration, List<String> violations) {}

    /** Reads what is written, as an automatic choice would keep it; the priority is read apart. */
    private static Result result(JsonNode source) {
        ObjectNode definition = (ObjectNode) source.deepCopy();
        JsonNode priority = definition.path(ParameterGrid.PRIORITY);
        definition.remove(ParameterGrid.PRIORITY);
        List<Violation> violations = new ArrayList<>();
        RunConfiguration configuration = ConfigurationReader.read(definition, violations);
        return new Result(
                priority.asInt(Priority.DEFAULT),
                configuration,
                violations.stream().map(Violation::pointer).toList());
    }

    @Test
    void presetsAreValidAtEveryScale() {
        for (ExperimentPreset preset : new ExperimentPresets().all()) {
            for (String scale : preset.scales().keySet()) {
                for (ObjectNode definition : preset.at(scale)) {
                    assertThat(schema.faults(definition))
                            .as("%s at %s", preset.name(), scale)
                            .isEmpty();
                }
            }
        }
    }

    @Test
    void definitionsOfThePagesAreValid() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(Path.of("../README.md")));
        try (Stream<Path> docs = Files.list(Path.of("../docs"))) {
            docs.filter(it -> it.toString().endsWith(".md")).forEach(pages::add);
        }
        int definitions = 0;
        for (Path page : pages) {
            Matcher block = BLOCK.matcher(Files.readString(page));
            while (block.find()) {
                definitions++;
                assertThat(schema.faults(TestingDefinitions.yaml(block.group(1))))
                        .as("%s: %s", page, block.group(1))
                        .isEmpty();
            }
        }
        assertThat(definitions).isPositive();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "synchronization: local-sgd\nmatrix: {synchronization.period: [1, 4]}",
                "synchronization: {kind: diloco}\nmatrix: {synchronization.period: [1, 4]}",
                "compression: {kind: top-k}\nmatrix: {compression.fraction: [0.1, 0.2]}",
                "partitioning: batch-counts\nmatrix: {partitioning.counts: [[1, 1, 2], [1, 2, 3]]}"
            })
    void parameterGridMayGiveWhatIsMissing(String fields) {
        JsonNode definition = TestingDefinitions.yaml(TestingDefinitions.SHORTEST + fields);

        assertThat(TestingSchema.ofFields(TestingSchema.violations(definition))).isEmpty();
        assertThat(schema.faults(definition)).isEmpty();
        assertThat(schema.faults(((ObjectNode) definition).without("matrix"))).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "workers: auto",
                "workers: {replicas: auto}",
                "synchronization: auto",
                "synchronization: {kind: auto}",
                "topology: auto",
                "partitioning: {kind: batch-counts, counts: auto, rounding: floor}",
                "partitioning: {kind: hybrid, nodeParallel: auto}",
                "execution: {kind: virtual, samplesPerSecond: 100}",
                "heterogeneity: {slowDown: {0: 2.31}}",
                "seeds: [1, 2]\npriority: 10"
            })
    void shorthandFormsAreValid(String fields) {
        ObjectNode definition = (ObjectNode) TestingDefinitions.yaml(TestingDefinitions.SHORTEST);
        TestingDefinitions.yaml(fields)
                .properties()
                .forEach(it -> definition.set(it.getKey(), it.getValue()));

        assertThat(schema.faults(definition)).isEmpty();
    }

    @Test
    void schemaFollowsItsDraftAndIsSmall() {
        assertThat(schema.faultsOfTheSchema()).isEmpty();
        assertThat(new DefinitionSchema().json().length).isLessThan(MAX_BYTES);
    }

    @Test
    void everyFieldHasADescription() {
        List<String> without = new ArrayList<>();
        nodes(schema.tree())
                .filter(DefinitionSchemaTest::isClosed)
                .flatMap(it -> it.path("properties").properties().stream())
                .filter(it -> !it.getValue().has("description"))
                .filter(it -> !generator.resolved(it.getValue()).has("description"))
                .forEach(it -> without.add(it.getKey()));

        assertThat(without).isEmpty();
    }

    /** Returns a node and everything below it. */
    private static Stream<JsonNode> nodes(JsonNode node) {
        return Stream.concat(
                Stream.of(node), node.valueStream().flatMap(DefinitionSchemaTest::nodes));
    }

    private <T> T pick(List<T> items) {
        return items.get(random.nextInt(items.size()));
    }
}
