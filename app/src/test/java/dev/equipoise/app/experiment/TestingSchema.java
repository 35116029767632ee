package dev.equipoise.app.experiment;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.dialect.Dialects;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.Violation;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** The schema of definitions as a validator, and the verdict of the reader beside it. */
final class TestingSchema {

    /** Rules of single fields; all other rules of the reader are about several fields. */
    private static final Pattern FIELD_RULE =
            Pattern.compile(
                    "must be given|is not a field; .*|must be one of \\[.*|must be a whole number"
                            + "|must be a whole number of 64 bits|must be a number"
                            + "|must be a number from .*|must be from .*|must be true or false"
                            + "|must be text that .*|must be an object|must be a list of .*"
                            + "|must have at most 200 characters|must not have a value"
                            + "|must be (auto|unbounded)( or a whole number|, true or false)",
                    Pattern.DOTALL);

    /** Fields whose limits follow from other fields. */
    private static final Pattern DEPENDENT =
            Pattern.compile(
                    "/workers/minimum"
                            + "|/dataset/(limit|samples|classes|augment/crop/padding)"
                            + "|/dataset/normalisation/(mean|deviation)(/\\d+)?"
                            + "|/network/layers/\\d+/\\w+/padding"
                            + "|/training/optimizer/schedule/warmUp"
                            + "|/partitioning/most|/heterogeneity/slowDown");

    private final SchemaRegistry registry =
            SchemaRegistry.withDialect(
                    Dialects.getDraft202012(),
                    builder ->
                            builder.schemaRegistryConfig(
                                    SchemaRegistryConfig.builder()
                                            .formatAssertionsEnabled(true)
                                            .build()));
    private final JsonNode tree = new DefinitionSchema().tree();
    private final Schema compiled =
            registry.getSchema(SchemaLocation.of(tree.path("$id").stringValue()), tree);

    JsonNode tree() {
        return tree;
    }

    /** Returns what the schema rejects, as text; empty for a valid definition. */
    List<String> faults(JsonNode definition) {
        return compiled.validate(definition).stream().map(Object::toString).toList();
    }

    /** Returns what the draft of JSON Schema rejects in the schema itself. */
    List<String> faultsOfTheSchema() {
        return registry
                .getSchema(SchemaLocation.of(tree.path("$schema").stringValue()))
                .validate(tree)
                .stream()
                .map(Object::toString)
                .toList();
    }

    /** Returns everything that the reader rejects. */
    static List<Violation> violations(JsonNode definition) {
        try {
            Definition.read(definition);
            return List.of();
        } catch (Problem rejection) {
            return rejection.violations();
        }
    }

    /** Returns the violations that the schema could have found. */
    static List<Violation> ofFields(List<Violation> violations) {
        return violations.stream()
                .filter(it -> FIELD_RULE.matcher(it.rule()).matches())
                .filter(it -> !DEPENDENT.matcher(it.pointer()).matches())
                .toList();
    }
}
