package dev.equipoise.app.experiment;

import static dev.equipoise.app.experiment.TestingDefinitions.rulesBrokenBy;
import static dev.equipoise.app.experiment.TestingDefinitions.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.protocol.Synchronization.Momentum;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PreemptionDefinitionTest {

    private static final String ALLOWED = "preemption: allowed\n";

    /** 313 rounds an epoch. */
    private static final String UNDIVIDED = "whose period, 2, does not divide the 313 rounds";

    @Test
    void aRunKeepsItsWorkersUnlessItSaysOtherwise() {
        assertThat(with("").preemption()).isEqualTo(Preemption.NEVER);
        assertThat(with("").isPreemptible()).isFalse();
        assertThat(with(ALLOWED).isPreemptible()).isTrue();
        assertThat(with(ALLOWED).withSeed(7).isPreemptible()).isTrue();
        assertThat(rulesBrokenBy("preemption: sometimes"))
                .singleElement()
                .asString()
                .startsWith("/preemption ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "synchronization: { kind: local-sgd, period: 1 }",
                "synchronization: { kind: local-sgd, period: 313 }",
                "topology: { kind: all-reduce, algorithm: auto }",
                "partitioning: functional",
                "partitioning: { kind: constant, speeds: [1, 2, 3] }",
                "heterogeneity: { slowDown: { 0: 2 } }"
            })
    void isAllowedWhereReplicasAreEqualAfterAnEpoch(String field) {
        assertThat(with(ALLOWED + field).isPreemptible()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "execution: virtual | whose execution is not real",
                "synchronization: { kind: diloco, period: 2 } | neither bsp nor local-sgd",
                "synchronization: async | neither bsp nor local-sgd",
                "synchronization: { kind: local-sgd, period: 2 } | " + UNDIVIDED,
                "synchronization: { kind: local-sgd, period: 1, order: average-then-step } | that averages before it steps",
                "topology: parameter-server | that is not over an all-reduce",
                "compression: { kind: top-k, fraction: 0.1 } | that is compressed",
                "compression: { kind: qsgd, errorFeedback: false } | that is compressed",
                "partitioning: dynamic | whose partitioning is not equal, constant or functional",
                "trace: true | that is traced",
                "record: true | that is recorded"
            })
    void isRefusedWithTheReasonElsewhere(String field, String reason) {
        assertThat(rulesBrokenBy(ALLOWED + field))
                .anyMatch(it ->
                        it.startsWith("/preemption must be never for a run ")
                                && it.contains(reason));
    }

    @ParameterizedTest
    @CsvSource({"LOCAL, false", "AVERAGE, true", "RESET, true"})
    void whatOptimizersRememberMustBeTheSameAfterAnEpoch(Momentum momentum, boolean allowed) {
        String definition =
                TestingDefinitions.SHORTEST.replace(
                                "epochs: 2",
                                "epochs: 2, optimizer: { kind: adam, learningRate: 0.01 }")
                        + ALLOWED
                        + "synchronization: { kind: local-sgd, period: 1, momentum: %s }"
                                .formatted(momentum.name().toLowerCase(Locale.ROOT));

        if (allowed) {
            assertThat(TestingDefinitions.read(definition).getFirst().isPreemptible()).isTrue();
        } else {
            assertThat(TestingDefinitions.broken(definition))
                    .singleElement()
                    .asString()
                    .contains("whose optimizers remember something of their own");
        }
    }

    @Test
    void whatTheServiceChoosesCanBeStopped() {
        // 400 rounds an epoch, which more than one period divides.
        RunConfiguration open =
                TestingDefinitions.read(
                                TestingDefinitions.SHORTEST.replace(
                                                "epochs: 2", "epochs: 2, batchSize: 50")
                                        + ALLOWED
                                        + "synchronization: auto\ntopology: auto")
                        .getFirst();

        List<RunConfiguration> choices =
                open.alternatives(4).orElseThrow().list().stream()
                        .map(Alternatives.Alternative::configuration)
                        .toList();

        Map<String, Long> kinds =
                choices.stream()
                        .collect(
                                Collectors.groupingBy(
                                        it -> it.synchronization().getClass().getSimpleName(),
                                        Collectors.counting()));
        assertThat(kinds).containsOnlyKeys("Bsp", "LocalSgd");
        assertThat(choices).allMatch(RunConfiguration::isPreemptible);
    }
}
