package dev.equipoise.app.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.Violation;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Definitions for tests, and the results of reading them. */
final class TestingDefinitions {

    private static final ObjectMapper YAML = YAMLMapper.builder().build();

    /** The shortest definition; an epoch has 626 rounds. */
    static final String SHORTEST =
            """
            apiVersion: equipoise/v1
            name: test
            dataset: { name: mnist }
            network: { preset: mnist-cnn }
            training: { epochs: 2 }
            workers: { replicas: 3 }
            """;

    private TestingDefinitions() {}

    static JsonNode yaml(String text) {
        return YAML.readTree(text);
    }

    static List<RunConfiguration> read(String yaml) {
        return Definition.read(yaml(yaml)).configurations();
    }

    /** Returns the configuration of the shortest definition with more fields. */
    static RunConfiguration with(String fields) {
        return read(SHORTEST + fields).getFirst();
    }

    /** Returns the broken rules, each as "pointer rule (value)". */
    static List<String> broken(JsonNode definition) {
        Problem problem = catchThrowableOfType(Problem.class, () -> Definition.read(definition));
        assertThat(problem).as("%s", definition).isNotNull();
        assertThat(problem.code()).isEqualTo(ErrorCode.INVALID_DEFINITION);
        return problem.violations().stream().map(TestingDefinitions::text).toList();
    }

    static List<String> broken(String yaml) {
        return broken(yaml(yaml));
    }

    /** Returns the broken rules of the shortest definition with more fields, without values. */
    static List<String> rulesBrokenBy(String fields) {
        return broken(SHORTEST + fields).stream()
                .map(it -> it.substring(0, it.lastIndexOf(" (")))
                .toList();
    }

    private static String text(Violation violation) {
        return "%s %s (%s)".formatted(violation.pointer(), violation.rule(), violation.value());
    }
}
