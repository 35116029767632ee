package dev.equipoise.app.experiment;

import static dev.equipoise.app.experiment.TestingDefinitions.rulesBrokenBy;
import static dev.equipoise.app.experiment.TestingDefinitions.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.configuration.Preemption;
import dev.equipoise.app.configuration.RunConfiguration;
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

    private static final String ELASTIC =
            TestingDefinitions.SHORTEST.replace("replicas: 3", "replicas: 3, minimum: 2");

    /** An epoch has 313 rounds. */
    private static final String UNDIVIDED = "whose period, 2, does not divide the 313 rounds";

    @Test
    void preemptionIsNeverByDefault() {
        assertThat(with("").scheduling().preemption()).isEqualTo(Preemption.NEVER);
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
                "synchronization: { kind: local-sgd, period: 2 }",
                "synchronization: { kind: local-sgd, period: 1, order: average-then-step }",
                "synchronization: { kind: diloco, period: 2 }",
                "synchronization: async",
                "topology: parameter-server",
                "topology: parameter-server\nsynchronization: { kind: stale-synchronous, bound: 2 }",
                "topology: gossip\nsynchronization: { kind: local-sgd, period: 1 }",
                "topology: { kind: gossip, schedule: random-matching }\nsynchronization: ad-psgd",
                "topology: { kind: all-reduce, algorithm: auto }",
                "compression: { kind: top-k, fraction: 0.1 }",
                "compression: { kind: qsgd, errorFeedback: false }",
                "partitioning: functional",
                "partitioning: { kind: constant, speeds: [1, 2, 3] }",
                "partitioning: dynamic",
                "partitioning: { kind: batch-counts, counts: [1, 2, 1] }",
                "synchronization: async\npartitioning: { kind: batch-counts, counts: [1, 1, 2] }",
                "heterogeneity: { slowDown: { 0: 2 } }"
            })
    void everyMethodIsPreemptibleAndStoresCheckpoints(String fields) {
        assertThat(with(ALLOWED + fields).isPreemptible()).isTrue();
        assertThat(with(fields).scheduling().checkpoint().every()).isOne();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "execution: virtual | whose execution is not real",
                "trace: true | that is traced",
                "record: true | that is recorded"
            })
    void runBoundToItsWorkersStoresNoCheckpoints(String field, String reason) {
        assertThat(rulesBrokenBy(ALLOWED + field))
                .anyMatch(it ->
                        it.startsWith("/preemption must be never for a run ")
                                && it.contains(reason));
        assertThat(rulesBrokenBy("checkpoint: { every: 2 }\n" + field))
                .anyMatch(it ->
                        it.startsWith("/checkpoint/every must be 0 for a run ")
                                && it.contains(reason));
        assertThat(with(field).scheduling().checkpoint().every()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "synchronization: { kind: local-sgd, period: 1 }",
                "synchronization: { kind: local-sgd, period: 313 }",
                "topology: { kind: all-reduce, algorithm: auto }",
                "partitioning: functional",
                "heterogeneity: { slowDown: { 0: 2 } }"
            })
    void runWithEqualReplicasAfterAnEpochIsElastic(String field) {
        assertThat(elastic(field).isElastic()).isTrue();
    }

    private static RunConfiguration elastic(String field) {
        return TestingDefinitions.read(ELASTIC + field).getFirst();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "execution: virtual | whose execution is not real",
                "synchronization: { kind: diloco, period: 2 } | with diloco",
                "synchronization: async | that is async over an all-reduce",
                "synchronization: { kind: local-sgd, period: 2 } | " + UNDIVIDED,
                "synchronization: { kind: local-sgd, period: 1, order: average-then-step } | that"
                        + " averages before the step",
                "topology: parameter-server | over parameter servers that is neither async",
                "compression: { kind: top-k, fraction: 0.1 } | that is compressed",
                "compression: { kind: qsgd, errorFeedback: false } | that is compressed",
                "partitioning: dynamic | whose partitioning is not equal, constant or functional",
                "partitioning: { kind: batch-counts, counts: [1, 2, 1] } | whose partitioning is"
                        + " not equal, constant or functional",
                "trace: true | that is traced",
                "record: true | that is recorded"
            })
    void otherRunsCannotBeElastic(String field, String reason) {
        assertThat(TestingDefinitions.broken(ELASTIC + field))
                .anyMatch(it ->
                        it.startsWith("/workers/minimum must be the number of replicas for a run ")
                                && it.contains(reason));
    }

    @ParameterizedTest
    @CsvSource({"LOCAL, false", "AVERAGE, true", "RESET, true"})
    void elasticRunNeedsEqualOptimizerStates(Momentum momentum, boolean allowed) {
        String definition =
                ELASTIC.replace(
                                "epochs: 2",
                                "epochs: 2, optimizer: { kind: adam, learningRate: 0.01 }")
                        + "synchronization: { kind: local-sgd, period: 1, momentum: %s }"
                                .formatted(momentum.name().toLowerCase(Locale.ROOT));

        if (allowed) {
            assertThat(TestingDefinitions.read(definition).getFirst().isElastic()).isTrue();
        } else {
            assertThat(TestingDefinitions.broken(definition))
                    .singleElement()
                    .asString()
                    .contains("whose optimizers have local state");
        }
    }

    @Test
    void automaticChoicesArePreemptible() {
        // An epoch has 400 rounds, which several periods divide.
        RunConfiguration open =
                TestingDefinitions.read(
                                TestingDefinitions.SHORTEST.replace(
                                                "epochs: 2", "epochs: 2, batchSize: 50")
                                        + ALLOWED
                                        + "synchronization: auto\ntopology: auto")
                        .getFirst();

        List<RunConfiguration> choices =
                CandidateConfigurations.of(open, 4).orElseThrow().list().stream()
                        .map(CandidateConfigurations.Alternative::configuration)
                        .toList();

        Map<String, Long> kinds =
                choices.stream()
                        .collect(
                                Collectors.groupingBy(
                                        it -> it.synchronization().getClass().getSimpleName(),
                                        Collectors.counting()));
        assertThat(kinds).containsKeys("Bsp", "LocalSgd", "DiLoCo");
        assertThat(choices).allMatch(RunConfiguration::isPreemptible);
    }
}
