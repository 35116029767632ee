package dev.equipoise.app.experiment;

import static dev.equipoise.app.experiment.TestingDefinitions.rulesBrokenBy;
import static dev.equipoise.app.experiment.TestingDefinitions.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.configuration.KeepModel;
import dev.equipoise.app.configuration.Workload;
import dev.equipoise.protocol.RunId;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModelDefinitionTest {

    private static final UUID RUN = new UUID(1, 2);

    @Test
    void lastModelIsKeptByDefault() {
        assertThat(with("").instrumentation().keepModel()).isEqualTo(KeepModel.LAST);
        assertThat(with("keepModel: best").instrumentation().keepModel()).isEqualTo(KeepModel.BEST);
        assertThat(with("keepModel: none").instrumentation().keepModel()).isEqualTo(KeepModel.NONE);
        assertThat(rulesBrokenBy("keepModel: all"))
                .containsExactly("/keepModel must be one of [last, best, none]");
    }

    @Test
    void bestReplicaNeedsEachReplicaEvaluated() {
        assertThat(rulesBrokenBy("keepModel: best\nevaluation: { compared: replicas }"))
                .singleElement()
                .asString()
                .startsWith("/evaluation/replicas must be always if /keepModel is best");
        assertThat(
                        with("keepModel: best\nevaluation: { compared: replicas, replicas: always }")
                                .instrumentation()
                                .keepModel())
                .isEqualTo(KeepModel.BEST);
        assertThat(
                        with("keepModel: last\nevaluation: { compared: replicas }")
                                .instrumentation()
                                .keepModel())
                .isEqualTo(KeepModel.LAST);
    }

    @Test
    void initialModelIsThatOfARun() {
        String digest = "0f".repeat(32);

        assertThat(with("").initial()).isEmpty();
        assertThat(with("initial: { run: %s }".formatted(RUN)).initial())
                .contains(new Workload.Initial(RunId.of(RUN), null));
        assertThat(with("initial: { run: %s, digest: %s }".formatted(RUN, digest)).initial())
                .contains(new Workload.Initial(RunId.of(RUN), digest));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "initial: {} | /initial/run must be given",
                "initial: { run: mine } | /initial/run must be the id of a run",
                "initial: { run: 00000000-0000-0001-0000-000000000002, digest: F0 } | /initial/digest must be a SHA-256 digest of 64 hexadecimal digits, 0-9 and a-f",
                "initial: { model: x, run: 00000000-0000-0001-0000-000000000002 } | /initial/model is not a field; the fields here are [digest, run]"
            })
    void wrongInitialModelIsRejected(String field, String rule) {
        assertThat(rulesBrokenBy(field)).containsExactly(rule);
    }
}
