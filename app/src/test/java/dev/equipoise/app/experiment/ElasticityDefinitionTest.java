package dev.equipoise.app.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.configuration.RunConfiguration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ElasticityDefinitionTest {

    private static final String GOSSIP =
            "synchronization: { kind: local-sgd, period: 1 }\ntopology: ";

    private static String elastic(int minimum, String fields) {
        return TestingDefinitions.SHORTEST.replace(
                        "replicas: 3", "replicas: 3, minimum: %d".formatted(minimum))
                + fields.replace("; ", "\n");
    }

    private static RunConfiguration read(String fields) {
        return TestingDefinitions.read(elastic(2, fields)).getFirst();
    }

    private static List<String> broken(int minimum, String fields) {
        return TestingDefinitions.broken(elastic(minimum, fields));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "synchronization: { kind: local-sgd, period: 1 }",
                "partitioning: functional"
            })
    void synchronousRanksSuspendAfterALoss(String fields) {
        assertThat(read(fields).isElastic()).isTrue();
        assertThat(read(fields).toleratesLosses()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                GOSSIP + "gossip",
                GOSSIP + "{ kind: gossip, schedule: dissemination, payload: update }",
                GOSSIP + "{ kind: gossip, payload: gradient }; compression: { kind: sign }",
                GOSSIP + "{ kind: gossip, schedule: dissemination, mixing: push-sum }",
                GOSSIP + "{ kind: gossip, schedule: { kind: fixed, distance: 1 } }",
                "synchronization: ad-psgd; topology: { kind: gossip, schedule: random-matching }",
                "synchronization: async; topology: parameter-server",
                "synchronization: { kind: stale-synchronous, bound: 3 }; topology: parameter-server; compression: { kind: top-k, fraction: 0.1 }"
            })
    void ranksWithOwnWeightsContinueAfterALoss(String fields) {
        assertThat(read(fields).toleratesLosses()).isTrue();
        assertThat(TestingDefinitions.with(fields.replace("; ", "\n")).toleratesLosses())
                .as("without a minimum")
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "synchronization: async | that is async over an all-reduce",
                "synchronization: { kind: diloco, period: 2 } | with diloco",
                "compression: { kind: top-k, fraction: 0.1 } | that is compressed",
                "synchronization: { kind: local-sgd, period: 2 } | whose period, 2, does not divide",
                "topology: { kind: all-reduce, algorithm: ring, order: by-link } | that follows"
                        + " link measurements",
                "topology: parameter-server | neither async nor stale-synchronous",
                "synchronization: { kind: local-sgd, period: 1 }; topology: { kind: gossip,"
                        + " schedule: fixed }; compression: { kind: top-k, fraction: 0.1, errorFeedback: false } | that gossips compressed weights",
                "synchronization: { kind: local-sgd, period: 1 }; topology: { kind: gossip,"
                        + " globalAverageEvery: 5 } | with periodic global averages",
                "synchronization: { kind: stale-synchronous, bound: 3, barrier: true }; topology:"
                        + " { kind: parameter-server, servers: 2 } | with barriers at several servers",
                "synchronization: async; topology: parameter-server; partitioning: dynamic | whose partitioning is not",
                "synchronization: async; topology: parameter-server; trace: true | that is traced",
                "synchronization: async; topology: parameter-server; record: true | that is recorded"
            })
    void otherRunsCannotBeElastic(String fields, String reason) {
        assertThat(broken(2, fields))
                .anyMatch(it ->
                        it.startsWith("/workers/minimum must be the number of replicas for a run ")
                                && it.contains(reason));
    }

    @Test
    void minimumLeavesEveryReplicaAPartner() {
        assertThat(broken(1, GOSSIP + "gossip"))
                .singleElement()
                .asString()
                .startsWith("/workers/minimum must be at least 2 for gossip");
        assertThat(broken(2, GOSSIP + "{ kind: gossip, schedule: { kind: fixed, distance: 2 } }"))
                .singleElement()
                .asString()
                .startsWith(
                        "/workers/minimum must be the number of replicas for partners at distance 2");
    }
}
