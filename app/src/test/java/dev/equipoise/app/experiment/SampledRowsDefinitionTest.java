package dev.equipoise.app.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.protocol.Compression;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

class SampledRowsDefinitionTest {

    private static final ObjectMapper YAML = YAMLMapper.builder().build();

    private static final String LANGUAGE_MODEL =
            """
            apiVersion: equipoise/v1
            name: test
            dataset: { name: brown, view: sequences }
            network: { preset: rnn-lm, hidden: 64 }
            training: { epochs: 2 }
            workers: { replicas: 3 }
            """;

    private static RunConfiguration read(String yaml) {
        return Definition.read(YAML.readTree(yaml)).configurations().getFirst();
    }

    /** Returns the broken rules, each as "pointer rule". */
    private static List<String> broken(String yaml) {
        Problem problem =
                catchThrowableOfType(Problem.class, () -> Definition.read(YAML.readTree(yaml)));
        assertThat(problem).as(yaml).isNotNull();
        return problem.violations().stream()
                .map(it -> "%s %s".formatted(it.pointer(), it.rule()))
                .toList();
    }

    @Test
    void fieldsAreRead() {
        assertThat(read(LANGUAGE_MODEL + "compression: sampled-rows").compression())
                .isEqualTo(new Compression.SampledRows(0.01, 0.01, 0.5, false, true));
        assertThat(
                        read(LANGUAGE_MODEL
                                        + """
                                        compression:
                                          kind: sampled-rows
                                          frequent: 0
                                          others: 0.1
                                          hidden: 1
                                          followLinks: false
                                          errorFeedback: false
                                        """)
                                .compression())
                .isEqualTo(new Compression.SampledRows(0, 0.1, 1, false, false));
    }

    @Test
    void sharesOutOfRangeAreRejected() {
        assertThat(
                        broken(
                                LANGUAGE_MODEL
                                        + "compression: { kind: sampled-rows, frequent: 2, hidden: 0 }"))
                .hasSize(2)
                .anyMatch(it -> it.startsWith("/compression/frequent must be"))
                .anyMatch(it -> it.startsWith("/compression/hidden must be"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "topology: { kind: all-reduce, algorithm: tree }",
                "topology: { kind: parameter-server, servers: 2 }",
                "topology: { kind: parameter-server, perLayer: true }",
                "synchronization: { kind: async, maxStaleness: 2 }",
                "topology: { kind: parameter-server }\nsynchronization: async",
                "topology: { kind: gossip, payload: update }\n"
                        + "synchronization: { kind: local-sgd, period: 2 }",
                "topology: { kind: gossip, payload: gradient }\n"
                        + "synchronization: { kind: local-sgd, period: 1 }"
            })
    void sampledRowsAreAllowedWithEveryTopology(String method) {
        assertThat(read(LANGUAGE_MODEL + "compression: sampled-rows\n" + method).compression())
                .isInstanceOf(Compression.SampledRows.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dataset: { name: mnist }\nnetwork: { preset: mnist-cnn }",
                "dataset: { name: brown, view: sequences, vocabulary: 100 }\n"
                        + "network: { layers: [ { embedding: { features: 8 } },"
                        + " { dense: { units: 100 } }, { tanh: {} } ] }"
            })
    void otherNetworksAreRejected(String network) {
        String yaml =
                """
                apiVersion: equipoise/v1
                name: test
                training: { epochs: 2 }
                workers: { replicas: 3 }
                compression: sampled-rows
                """;

        assertThat(broken(yaml + network))
                .containsExactly(
                        "/compression must be used with a network that begins with an embedding and"
                                + " ends in a score for each word");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{ kind: gossip, schedule: { kind: fixed }, payload: weights }"
                        + " | { kind: local-sgd, period: 1 } | errorFeedback: false"
                        + " | /topology/payload must be update or gradient with sampled-rows",
                "all-reduce | { kind: local-sgd, period: 2, order: average-then-step }"
                        + " | errorFeedback: true"
                        + " | /synchronization/order must be step-then-average with sampled-rows",
                "{ kind: all-reduce, algorithm: tree } | bsp | followLinks: true"
                        + " | /compression/followLinks must be false over an all-reduce other than"
                        + " a ring",
                "{ kind: all-reduce, order: by-link } | bsp | followLinks: true"
                        + " | /compression/followLinks must be false over an all-reduce other than"
                        + " a ring",
                "parameter-server | bsp | 'followLinks: true, errorFeedback: false'"
                        + " | /compression/followLinks must be false without error feedback"
            })
    void incompatibleChoicesAreRejected(
            String topology, String synchronization, String field, String rule) {
        assertThat(
                        broken(
                                LANGUAGE_MODEL
                                        + """
                                        topology: %s
                                        synchronization: %s
                                        compression: { kind: sampled-rows, %s }
                                        """
                                                .formatted(topology, synchronization, field)))
                .singleElement()
                .asString()
                .startsWith(rule);
    }

    @Test
    void followedLinksAreMeasured() {
        String followed =
                LANGUAGE_MODEL
                        + """
                        topology: parameter-server
                        compression: { kind: sampled-rows, followLinks: true }
                        """;
        String ring = followed.replace("parameter-server", "all-reduce");

        assertThat(read(followed).followsLinks()).isTrue();
        assertThat(read(ring).followsLinks()).isTrue();
        assertThat(read(ring + "execution: virtual").followsLinks()).isFalse();
        assertThat(read(followed + "execution: virtual").followsLinks()).isFalse();
        assertThat(broken(followed.replace("replicas: 3", "replicas: 64")))
                .containsExactly(
                        "/compression/followLinks must be false for more than 64 ranks, since every"
                                + " link between them is measured");
    }

    @ParameterizedTest
    @ValueSource(strings = {"local-sgd", "diloco"})
    void runStoresCheckpointsWhereverAnEpochEndsInItsPeriod(String kind) {
        int rounds = read(LANGUAGE_MODEL).rounds();
        String fields =
                LANGUAGE_MODEL
                        + "compression: sampled-rows\nsynchronization: { kind: %s, period: %d }\n";
        String whole = fields.formatted(kind, rounds);
        String cut = fields.formatted(kind, rounds - 1);

        assertThat(read(whole).scheduling().checkpoint().every()).isOne();
        assertThat(read(cut).scheduling().checkpoint().every()).isOne();
        assertThat(read(cut + "preemption: allowed").isPreemptible()).isTrue();
    }
}
