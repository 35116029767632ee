package dev.equipoise.app.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.problem.Violation;
import dev.equipoise.protocol.Clipping;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.Schedule;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

class OptimizerReaderTest {

    private static final int EPOCHS = 90;
    private static final ObjectMapper YAML = YAMLMapper.builder().build();
    private static final ObjectMapper JSON = JsonMapper.builder().build();
    private static final Schedule CONSTANT = new Schedule.Constant(0);
    private static final Clipping NONE = new Clipping.None();

    private final List<Violation> violations = new ArrayList<>();

    private OptimizerSpec read(String optimizer) {
        var training = YAML.readTree("optimizer: " + optimizer);
        return OptimizerReader.read(JsonFieldReader.of(training, violations), EPOCHS);
    }

    private OptimizerSpec readWell(String optimizer) {
        OptimizerSpec spec = read(optimizer);
        assertThat(violations).isEmpty();
        return spec;
    }

    /** Returns the broken rules, each as "pointer rule (value)". */
    private List<String> broken(String optimizer) {
        OptimizerSpec stopgap = read(optimizer);
        assertThat(stopgap).isNotNull();
        return violations.stream()
                .map(it -> "%s %s (%s)".formatted(it.pointer(), it.rule(), it.value()))
                .toList();
    }

    @Test
    void everyKindHasDefaults() {
        assertThat(readWell("{}"))
                .isEqualTo(readWell("sgd"))
                .isEqualTo(new OptimizerSpec.Sgd(0.05));
        assertThat(readWell("adam"))
                .isEqualTo(new OptimizerSpec.Adam(0.001, 0.9, 0.999, 1e-8, CONSTANT, NONE));
        assertThat(readWell("adamw"))
                .isEqualTo(new OptimizerSpec.AdamW(0.001, 0.9, 0.999, 1e-8, 0.01, CONSTANT, NONE));
    }

    @Test
    void everyFieldIsRead() {
        assertThat(
                        readWell(
                                """
                                { kind: sgd, learningRate: 0.1, momentum: 0.9, nesterov: true,
                                  weightDecay: 0.004,
                                  schedule: { kind: step, every: 30, factor: 0.2, warmUp: 5 },
                                  clipping: { kind: norm, limit: 5 } }
                                """))
                .isEqualTo(
                        new OptimizerSpec.Sgd(
                                0.1,
                                0.9,
                                true,
                                0.004,
                                new Schedule.Step(30, 0.2, 5),
                                new Clipping.Norm(5)));
        assertThat(readWell("{ kind: adam, weightDecay: 0.1 }"))
                .isEqualTo(new OptimizerSpec.Adam(0.001, 0.9, 0.999, 1e-8, 0.1, CONSTANT, NONE));
        assertThat(
                        readWell(
                                """
                                { kind: adamw, learningRate: 0.01, beta1: 0.8, beta2: 0.99,
                                  epsilon: 1e-6, weightDecay: 0.1,
                                  schedule: { kind: cosine, floor: 0.1, warmUp: 0.5 },
                                  clipping: { kind: value, limit: 1 } }
                                """))
                .isEqualTo(
                        new OptimizerSpec.AdamW(
                                0.01,
                                0.8,
                                0.99,
                                1e-6,
                                0.1,
                                new Schedule.Cosine(0.1, 0.5),
                                new Clipping.Value(1)));
    }

    @Test
    void kindAloneIsTheShortForm() {
        assertThat(readWell("{ schedule: cosine, clipping: none }"))
                .isEqualTo(new OptimizerSpec.Sgd(0.05, 0, false, new Schedule.Cosine(0, 0), NONE));
        assertThat(readWell("{ schedule: { kind: step, every: 30 } }").schedule())
                .isEqualTo(new Schedule.Step(30, 0.1, 0));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sgd",
                "{ weightDecay: 0.0005 }",
                "{ kind: adam, weightDecay: 1000 }",
                "{ momentum: 0.9, nesterov: true, clipping: { kind: norm, limit: 5 } }",
                "{ kind: adam, schedule: { kind: step, every: 3 } }",
                "{ kind: adamw, schedule: cosine, clipping: { kind: value, limit: 1 } }"
            })
    void resolvedOptimizerResolvesToItself(String optimizer) {
        OptimizerSpec resolved = readWell(optimizer);

        assertThat(readWell(JSON.writeValueAsString(resolved))).isEqualTo(resolved);
    }

    @Test
    void allViolationsAreReportedAtOnce() {
        assertThat(
                        broken(
                                """
                                { learningRate: 0, momentum: 1, nesterov: maybe, beta1: 0.9,
                                  schedule: { kind: step, factor: 2, warmUp: 91, floor: 0 },
                                  clipping: { kind: norm, limit: -1, norm: 2 } }
                                """))
                .containsExactly(
                        "/optimizer/learningRate must be from 1.1754943508222875E-38 to 1000.0 (0)",
                        "/optimizer/momentum must be from 0.0 to 0.999999 (1)",
                        "/optimizer/nesterov must be true or false (maybe)",
                        "/optimizer/schedule/warmUp must be from 0.0 to 90.0 (91)",
                        "/optimizer/schedule/every must be given (null)",
                        "/optimizer/schedule/factor must be from 1.1754943508222875E-38 to 1.0 (2)",
                        "/optimizer/schedule/floor is not a field; the fields here are [every,"
                                + " factor, kind, warmUp] (0)",
                        "/optimizer/clipping/limit must be from 1.1754943508222875E-38 to 1.0E9 (-1)",
                        "/optimizer/clipping/norm is not a field; the fields here are [kind, limit]"
                                + " (2)",
                        "/optimizer/beta1 is not a field; the fields here are [clipping, kind,"
                                + " learningRate, momentum, nesterov, schedule, weightDecay] (0.9)");
    }

    @Test
    void fieldsOfAdamAreChecked() {
        assertThat(
                        broken(
                                """
                                { kind: adamw, beta1: -0.1, beta2: 1, epsilon: 0, weightDecay: NaN,
                                  schedule: { kind: cosine, floor: 1.5 }, clipping: value }
                                """))
                .containsExactly(
                        "/optimizer/beta1 must be from 0.0 to 0.999999 (-0.1)",
                        "/optimizer/beta2 must be from 0.0 to 0.999999 (1)",
                        "/optimizer/epsilon must be from 1.1754943508222875E-38 to 1.0 (0)",
                        "/optimizer/weightDecay must be a number (NaN)",
                        "/optimizer/schedule/floor must be from 0.0 to 1.0 (1.5)",
                        "/optimizer/clipping/limit must be given (null)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rmsprop | /optimizer/kind must be one of [sgd, adam, adamw] (rmsprop)",
                "{ kind: rmsprop, alpha: 1 } | /optimizer/kind must be one of [sgd, adam, adamw] (rmsprop)",
                "7 | /optimizer must be an object (7)",
                "{ schedule: linear } | /optimizer/schedule/kind must be one of [constant, step, cosine] (linear)",
                "{ clipping: 5 } | /optimizer/clipping must be an object (5)",
                "{ clipping: { limit: 5 } } | /optimizer/clipping/limit is not a field; the fields here are [kind] (5)",
                "{ nesterov: true } | /optimizer/nesterov must be false with momentum 0: set a momentum above 0 (true)",
                "{ weightDecay: -0.1 } | /optimizer/weightDecay must be from 0.0 to 1000.0 (-0.1)",
                "{ kind: adam, weightDecay: 1001 } | /optimizer/weightDecay must be from 0.0 to 1000.0 (1001)",
                "{ weightDecay: 1e-50 } | /optimizer/weightDecay must be 0 or from 1.1754943508222875E-38 to 1000.0 (1.0E-50)",
                "{ kind: adam, momentum: 0.9 } | /optimizer/momentum is not a field; the fields here are [beta1, beta2, clipping, epsilon, kind, learningRate, schedule, weightDecay] (0.9)"
            })
    void violationIsReportedOnce(String optimizer, String broken) {
        assertThat(broken(optimizer)).containsExactly(broken);
    }
}
