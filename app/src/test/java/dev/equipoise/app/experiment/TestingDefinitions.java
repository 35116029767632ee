package dev.equipoise.app.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.Violation;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Definitions of tests, and what becomes of them. */
final class TestingDefinitions {

    private static final ObjectMapper YAML = YAMLMapper.builder().build();

    /** 626 rounds. */
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

    /** The one that the shortest definition becomes with some fields more. */
    static RunConfiguration with(String fields) {
        return read(SHORTEST + fields).getFirst();
    }

    /** The broken rules, each as "pointer rule (value)". */
    static List<String> broken(JsonNode definition) {
        Problem problem = catchThrowableOfType(Problem.class, () -> Definition.read(definition));
        assertThat(problem).as("%s", definition).isNotNull();
        assertThat(problem.code()).isEqualTo(ErrorCode.INVALID_DEFINITION);
        return problem.violations().stream().map(TestingDefinitions::text).toList();
    }

    static List<String> broken(String yaml) {
        return broken(yaml(yaml));
    }

    /** Those of the shortest definition with some fields more, without the values. */
    static List<String> rulesBrokenBy(String fields) {
        return broken(SHORTEST + fields).stream()
                .map(it -> it.substring(0, it.lastIndexOf(" (")))
                .toList();
    }

    private static String text(Violation violation) {
        return "%s %s (%s)".formatted(violation.pointer(), violation.rule(), violation.value());
    }
}
