package dev.equipoise.helm;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.core.util.Separators;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Checks that README and schema repeat the documentation of values.yaml. */
class ValuesTest {

    private static final Path VALUES = Chart.FOLDER.resolve("values.yaml");
    private static final Path README = Chart.FOLDER.resolve("README.md");
    private static final Path SCHEMA = Chart.FOLDER.resolve("values.schema.json");
    private static final Path GENERATED = Path.of("target");
    private static final PrettyPrinter AS_WRITTEN =
            new DefaultPrettyPrinter(
                    Separators.createDefaultInstance()
                            .withObjectNameValueSpacing(Separators.Spacing.AFTER));
    private static final String BEGIN = "<!-- from values.yaml -->\n";
    private static final String END = "<!-- end -->\n";

    private final List<DocumentedValue> documented = DocumentedValue.all(Files.readString(VALUES));
    private final JsonNode schema = JsonMapper.shared().readTree(Files.readString(SCHEMA));

    ValuesTest() throws IOException {}

    @Test
    void readmeDocumentsAllValues() throws IOException {
        String present = Files.readString(README);
        String wanted =
                present.substring(0, present.indexOf(BEGIN) + BEGIN.length())
                        + "| value | unless set | |\n| --- | --- | --- |\n"
                        + documented.stream().map(DocumentedValue::row).collect(joining("\n"))
                        + "\n"
                        + present.substring(present.indexOf(END));
        Files.writeString(GENERATED.resolve("README.md"), wanted);

        assertThat(present)
                .as("README.md differs from values.yaml: cp helm/target/README.md helm/%s", README)
                .isEqualTo(wanted);
    }

    @Test
    void schemaHasTheSameDescriptions() throws IOException {
        JsonNode wanted = schema.deepCopy();
        documented.forEach(
                it -> ((ObjectNode) wanted.at(pointer(it))).put("description", it.text()));
        Files.writeString(
                GENERATED.resolve("values.schema.json"),
                JsonMapper.shared().writer().with(AS_WRITTEN).writeValueAsString(wanted) + "\n");

        assertThat(documented)
                .filteredOn(it ->
                        !schema.at(pointer(it) + "/description").asString("").equals(it.text()))
                .extracting(DocumentedValue::path)
                .as(
                        "these descriptions differ from values.yaml: cp helm/target/%s helm/%s",
                        SCHEMA.getFileName(), SCHEMA)
                .isEmpty();
    }

    private static String pointer(DocumentedValue value) {
        return "/properties/" + value.path().replace("[]", "/items").replace(".", "/properties/");
    }

    @Test
    void everyValueIsDocumentedAndInTheSchema() throws IOException {
        List<String> leaves = new ArrayList<>();
        leaves("", schema.path("properties"), leaves);

        assertThat(leaves).doesNotHaveDuplicates();
        assertThat(documented)
                .extracting(DocumentedValue::path)
                .containsExactlyInAnyOrderElementsOf(leaves);
        assertThat(Chart.values("{}").propertyNames())
                .containsExactlyInAnyOrderElementsOf(
                        schema.path("properties").propertyNames().stream()
                                .filter(name -> !name.equals("global"))
                                .toList());
    }

    /** Collects the paths of all values without properties, and of all lists. */
    private static void leaves(String above, JsonNode properties, List<String> found) {
        properties.forEachEntry((name, property) -> {
            String path = above.isEmpty() ? name : above + "." + name;
            if (name.equals("global")) {
                return;
            }
            if (property.has("properties")) {
                leaves(path, property.path("properties"), found);
            } else {
                found.add(path);
                leaves(path + "[]", property.path("items").path("properties"), found);
            }
        });
    }

    /** An object declares its properties, or is a map with one type of values. */
    @Test
    void objectsRejectUnknownProperties() {
        Map<String, JsonNode> objects = new TreeMap<>();
        objects("", schema, objects);

        assertThat(objects).hasSizeGreaterThan(20);
        assertThat(objects)
                .allSatisfy((path, object) ->
                        assertThat(
                                        object.has("properties")
                                                ? object.path("additionalProperties").isBoolean()
                                                        && !object.path("additionalProperties")
                                                                .asBoolean()
                                                : object.path("additionalProperties").isObject())
                                .as(path)
                                .isTrue());
    }

    private static void objects(String path, JsonNode node, Map<String, JsonNode> found) {
        if (node.path("type").asString("").equals("object") && !path.equals("/properties/global")) {
            found.put(path, node);
        }
        node.forEachEntry((name, child) -> objects(path + "/" + name, child, found));
    }
}
