package dev.equipoise.app.experiment;

import static dev.equipoise.app.experiment.TestingDefinitions.SHORTEST;
import static dev.equipoise.app.experiment.TestingDefinitions.broken;
import static dev.equipoise.app.experiment.TestingDefinitions.read;
import static dev.equipoise.app.experiment.TestingDefinitions.rulesBrokenBy;
import static dev.equipoise.app.experiment.TestingDefinitions.with;
import static dev.equipoise.app.experiment.TestingDefinitions.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.StalenessCorrection;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

class MethodReaderTest {

    private static final ObjectMapper JSON = JsonMapper.builder().build();

    private static JsonNode resolved(String fields, String field) {
        return JSON.valueToTree(with(fields)).path(field);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "bsp | all-reduce | {kind: bsp}",
                "{kind: bsp, overlap: false} | all-reduce | {kind: bsp}",
                "{kind: bsp, overlap: true} | all-reduce | {kind: bsp, overlap: true, bucketMegabytes: 25.0,"
                        + " firstBucketMegabytes: 1.0}",
                "{kind: bsp, overlap: true, bucketMegabytes: 0.5} | parameter-server | {kind: bsp, overlap: true,"
                        + " bucketMegabytes: 0.5, firstBucketMegabytes: 0.5}",
                "{kind: bsp, firstBucketMegabytes: 2} | all-reduce | {kind: bsp, overlap: false, bucketMegabytes: 25.0,"
                        + " firstBucketMegabytes: 2.0}",
                "{kind: local-sgd, period: 4} | all-reduce | {kind: local-sgd, period: 4, order: step-then-average,"
                        + " momentum: local}",
                "{kind: diloco, period: 4} | all-reduce | {kind: diloco, period: 4, outerLearningRate: 0.7,"
                        + " outerMomentum: 0.9}",
                "async | all-reduce | {kind: async, maxStaleness: 1, weighting: weighted, correction: {kind: none}}",
                "{kind: async, inFlight: 4} | all-reduce | {kind: async, weighting: weighted, correction: {kind: none},"
                        + " inFlight: 4, own: with-sum}",
                "{kind: async, inFlight: unbounded, own: at-once} | all-reduce | {kind: async, weighting: weighted,"
                        + " correction: {kind: none}, inFlight: 313, own: at-once}",
                "async | parameter-server | {kind: async, weighting: weighted, correction: {kind: none}}",
                "{kind: async, correction: {kind: inverse-power, power: 0.5}} | parameter-server | {kind: async,"
                        + " weighting: weighted, correction: {kind: inverse-power, power: 0.5}}",
                "{kind: stale-synchronous, bound: 2} | parameter-server | {kind: stale-synchronous, bound: 2,"
                        + " barrier: false, correction: {kind: none}}",
                "{kind: stale-synchronous, bound: 2, correction: inverse} | parameter-server |"
                        + " {kind: stale-synchronous, bound: 2, barrier: false, correction: {kind: inverse}}",
                "{kind: stale-synchronous, bound: 2, correction: {kind: drop-above, staleness: 0}} | parameter-server |"
                        + " {kind: stale-synchronous, bound: 2, barrier: false, correction: {kind: drop-above,"
                        + " staleness: 0}}",
                "ad-psgd | {kind: gossip, schedule: random-matching} | {kind: ad-psgd}",
            })
    void synchronizationHasDefaultsWrittenOut(String given, String topology, String written) {
        assertThat(
                        resolved(
                                "synchronization: %s\ntopology: %s".formatted(given, topology),
                                "synchronization"))
                .isEqualTo(yaml(written));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "all-reduce | {kind: all-reduce, algorithm: ring, order: by-rank}",
                "parameter-server | {kind: parameter-server, servers: 1, perLayer: false, aggregate: mean}",
                "gossip | {kind: gossip, schedule: {kind: linear, literalPairing: false}, payload: weights,"
                        + " mixing: uniform, globalAverageEvery: 0}",
                "{kind: gossip, schedule: dissemination} | {kind: gossip, schedule: {kind: dissemination},"
                        + " payload: weights, mixing: uniform, globalAverageEvery: 0}",
                "{kind: gossip, schedule: fixed, payload: update} | {kind: gossip, schedule: {kind: fixed, distance: 1},"
                        + " payload: update, mixing: uniform, globalAverageEvery: 0}",
                "{kind: gossip, schedule: random-matching, mixing: push-sum} | {kind: gossip,"
                        + " schedule: {kind: random-matching}, payload: weights, mixing: push-sum, globalAverageEvery: 0}",
            })
    void topologyHasDefaultsWrittenOut(String given, String written) {
        String fields =
                "synchronization: {kind: local-sgd, period: 1}\ntopology: %s".formatted(given);

        assertThat(resolved(fields, "topology")).isEqualTo(yaml(written));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "none | {kind: none}",
                "{kind: threshold, threshold: 0.5} | {kind: threshold, threshold: 0.5, errorFeedback: true}",
                "{kind: adaptive-threshold, fraction: 0.05} | {kind: adaptive-threshold, fraction: 0.05,"
                        + " errorFeedback: true}",
                "{kind: top-k, fraction: 1} | {kind: top-k, fraction: 1.0, errorFeedback: true}",
                "{kind: random-k, fraction: 0.1, errorFeedback: false} | {kind: random-k, fraction: 0.1,"
                        + " errorFeedback: false}",
                "qsgd | {kind: qsgd, bits: 4, bucket: 512, errorFeedback: false}",
                "sign | {kind: sign, errorFeedback: true}",
                "{kind: power-sgd, rank: 2} | {kind: power-sgd, rank: 2}"
            })
    void compressionHasDefaultsWrittenOut(String given, String written) {
        assertThat(resolved("compression: " + given, "compression")).isEqualTo(yaml(written));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "synchronization | local-sgd | /synchronization/period must be given",
                "synchronization | {kind: local-sgd, period: 0} | /synchronization/period must be from 1 to 1000000000",
                "synchronization | {kind: local-sgd, period: 1.5} | /synchronization/period must be a whole number",
                "synchronization | {kind: local-sgd, period: 2, order: first} | /synchronization/order must be one of"
                        + " [step-then-average, average-then-step]",
                "synchronization | {kind: local-sgd, period: 2, momentum: none} | /synchronization/momentum must be one"
                        + " of [local, average, reset]",
                "synchronization | diloco | /synchronization/period must be given",
                "synchronization | {kind: diloco, period: 2, outerLearningRate: 0} | /synchronization/outerLearningRate"
                        + " must be from 1.1754943508222875E-38 to 1000.0",
                "synchronization | {kind: diloco, period: 2, outerMomentum: 1} | /synchronization/outerMomentum must be"
                        + " from 0.0 to 0.999999",
                "synchronization | {kind: async, maxStaleness: 0} | /synchronization/maxStaleness must be from 1 to"
                        + " 1000000000",
                "synchronization | {kind: async, inFlight: 0} | /synchronization/inFlight must be from 1 to 1000000000",
                "synchronization | {kind: async, inFlight: many} | /synchronization/inFlight must be unbounded or a"
                        + " whole number",
                "synchronization | {kind: async, own: late} | /synchronization/own must be one of [with-sum, at-once]",
                "synchronization | {kind: async, weighting: fair} | /synchronization/weighting must be one of [weighted,"
                        + " unweighted]",
                "synchronization | {kind: async, correction: late} | /synchronization/correction/kind must be one of"
                        + " [none, inverse, inverse-power, drop-above]",
                "synchronization | {kind: async, correction: inverse-power} | /synchronization/correction/power must be given",
                "synchronization | {kind: async, correction: {kind: inverse-power, power: 5}} |"
                        + " /synchronization/correction/power must be from 1.1754943508222875E-38 to 4.0",
                "synchronization | {kind: async, correction: drop-above} | /synchronization/correction/staleness must"
                        + " be given",
                "synchronization | {kind: async, correction: {kind: drop-above, staleness: -1}} |"
                        + " /synchronization/correction/staleness must be from 0 to 1000000000",
                "synchronization | stale-synchronous | /synchronization/bound must be given",
                "synchronization | {kind: stale-synchronous, bound: 0} | /synchronization/bound must be from 1 to"
                        + " 1000000000",
                "synchronization | {kind: stale-synchronous, bound: -2} | /synchronization/bound must be from 1 to"
                        + " 1000000000",
                "synchronization | {kind: bsp, period: 2} | /synchronization/period is not a field; the fields here are"
                        + " [bucketMegabytes, firstBucketMegabytes, kind, overlap]",
                "synchronization | {period: 2} | /synchronization/period is not a field; the fields here are"
                        + " [bucketMegabytes, firstBucketMegabytes, kind, overlap]",
                "synchronization | {kind: bsp, overlap: 1} | /synchronization/overlap must be true or false",
                "synchronization | {kind: bsp, overlap: true, bucketMegabytes: 0} | /synchronization/bucketMegabytes"
                        + " must be from 0.001 to 2000.0",
                "synchronization | {kind: bsp, overlap: true, firstBucketMegabytes: 2001} |"
                        + " /synchronization/firstBucketMegabytes must be from 0.001 to 2000.0",
                "synchronization | {kind: local-sgd, period: 2, overlap: true} | /synchronization/overlap is not a field;"
                        + " the fields here are [kind, momentum, order, period]",
                "synchronization | often | /synchronization/kind must be one of [bsp, local-sgd, diloco, async,"
                        + " stale-synchronous, ad-psgd]",
                "topology | star | /topology/kind must be one of [all-reduce, parameter-server, gossip]",
                "topology | {kind: parameter-server, servers: 0} | /topology/servers must be from 1 to 64",
                "topology | {kind: parameter-server, servers: 65} | /topology/servers must be from 1 to 64",
                "topology | {kind: parameter-server, aggregate: max} | /topology/aggregate must be one of [mean, sum]",
                "topology | {kind: parameter-server, algorithm: ring} | /topology/algorithm is not a field; the fields"
                        + " here are [aggregate, kind, perLayer, servers]",
                "topology | {kind: gossip, payload: hearsay} | /topology/payload must be one of [gradient, update,"
                        + " weights]",
                "topology | {kind: gossip, mixing: shaken} | /topology/mixing must be one of [uniform, metropolis,"
                        + " push-sum]",
                "topology | {kind: gossip, globalAverageEvery: -1} | /topology/globalAverageEvery must be from 0 to"
                        + " 1000000000",
                "topology | {kind: gossip, schedule: weekly} | /topology/schedule/kind must be one of [linear,"
                        + " dissemination, fixed, random-matching]",
                "topology | {kind: gossip, schedule: {kind: fixed, distance: 0}} | /topology/schedule/distance must be"
                        + " from 1 to 1024",
                "topology | {kind: gossip, schedule: {kind: linear, distance: 1}} | /topology/schedule/distance is not a"
                        + " field; the fields here are [kind, literalPairing]",
                "compression | zip | /compression/kind must be one of [none, threshold, adaptive-threshold, top-k,"
                        + " random-k, qsgd, sign, power-sgd, sampled-rows]",
                "compression | threshold | /compression/threshold must be given",
                "compression | {kind: threshold, threshold: -1} | /compression/threshold must be from 0.0 to"
                        + " 3.4028234663852886E38",
                "compression | adaptive-threshold | /compression/fraction must be given",
                "compression | top-k | /compression/fraction must be given",
                "compression | {kind: top-k, fraction: 0} | /compression/fraction must be from 1.0E-9 to 1.0",
                "compression | {kind: top-k, fraction: 1.1} | /compression/fraction must be from 1.0E-9 to 1.0",
                "compression | {kind: top-k, fraction: '10 %'} | /compression/fraction must be a number",
                "compression | random-k | /compression/fraction must be given",
                "compression | {kind: qsgd, bits: 1} | /compression/bits must be from 2 to 8",
                "compression | {kind: qsgd, bits: 9} | /compression/bits must be from 2 to 8",
                "compression | {kind: qsgd, bucket: 1025} | /compression/bucket must be from 1 to 1024",
                "compression | {kind: sign, errorFeedback: 1} | /compression/errorFeedback must be true or false",
                "compression | power-sgd | /compression/rank must be given",
                "compression | {kind: power-sgd, rank: 0} | /compression/rank must be from 1 to 256",
                "compression | {kind: power-sgd, rank: 2, errorFeedback: true} | /compression/errorFeedback is not a"
                        + " field; the fields here are [kind, rank]",
                "compression | {kind: none, errorFeedback: true} | /compression/errorFeedback is not a field; the fields"
                        + " here are [kind]"
            })
    void invalidChoiceIsRejected(String field, String given, String rule) {
        assertThat(rulesBrokenBy("%s: %s".formatted(field, given))).containsExactly(rule);
    }

    @Test
    void allViolationsAreReportedAtOnce() {
        assertThat(
                        rulesBrokenBy(
                                """
                                synchronization: { kind: local-sgd, period: 0, order: never }
                                topology: { kind: gossip, schedule: fixed, payload: 7 }
                                compression: top-k
                                """))
                .containsExactly(
                        "/synchronization/period must be from 1 to 1000000000",
                        "/synchronization/order must be one of [step-then-average,"
                                + " average-then-step]",
                        "/topology/payload must be text that is not blank",
                        "/compression/fraction must be given");
    }

    /** Agents parse plans by the names of definitions. */
    @ParameterizedTest
    @EnumSource
    void everyOrderHasAName(Synchronization.Order order) {
        var read =
                (Synchronization.LocalSgd)
                        with("synchronization: { kind: local-sgd, period: 1, order: %s }"
                                        .formatted(name(order)))
                                .synchronization();

        assertThat(read.order()).isEqualTo(order);
    }

    @ParameterizedTest
    @EnumSource
    void everyPayloadHasAName(Topology.Payload payload) {
        assertThat(gossip("payload: " + name(payload)).payload()).isEqualTo(payload);
    }

    @ParameterizedTest
    @EnumSource
    void everyMixingHasAName(Topology.Mixing mixing) {
        assertThat(gossip("mixing: " + name(mixing)).mixing()).isEqualTo(mixing);
    }

    private static Topology.Gossip gossip(String field) {
        return (Topology.Gossip)
                with("synchronization: { kind: local-sgd, period: 1 }\n"
                                + "topology: { kind: gossip, %s }".formatted(field))
                        .topology();
    }

    private static String name(Enum<?> value) {
        return JSON.convertValue(value, String.class);
    }

    @Test
    void gridVariesKindsInShortForms() {
        assertThat(
                        read(
                                SHORTEST
                                        + """
                                        synchronization: bsp
                                        compression: none
                                        matrix:
                                          topology.kind: [all-reduce, parameter-server]
                                          synchronization.kind: [bsp, async]
                                          compression.kind: [none, sign]
                                        """))
                .extracting(
                        it -> it.topology().servers(),
                        it -> it.synchronization() instanceof Synchronization.Async,
                        it -> it.compression() instanceof Compression.Sign)
                .extracting(Object::toString)
                .containsExactly(
                        "(0, false, false)",
                        "(0, false, true)",
                        "(0, true, false)",
                        "(0, true, true)",
                        "(1, false, false)",
                        "(1, false, true)",
                        "(1, true, false)",
                        "(1, true, true)");
    }

    @Test
    void gridVariesWholeChoices() {
        assertThat(
                        read(
                                SHORTEST
                                        + """
                                        matrix:
                                          synchronization: [bsp, { kind: local-sgd, period: 4 }]
                                          compression: [none, { kind: top-k, fraction: 0.1 }]
                                        """))
                .hasSize(4);
    }

    @Test
    void incompatiblePairIsReportedInTheMatrix() {
        assertThat(
                        broken(
                                SHORTEST
                                        + """
                                        matrix:
                                          synchronization.kind: [bsp, ad-psgd]
                                          topology.kind: [all-reduce, gossip]
                                        """))
                .containsExactly(
                        "/matrix/topology.kind/1 must not be gossip with this synchronization: bsp"
                                + " needs equal weights on all replicas; local-sgd with period 1"
                                + " exchanges in every round ({\"kind\":\"gossip\"})",
                        "/matrix/topology.kind/0 must be gossip for ad-psgd, which exchanges only"
                                + " with neighbors ({\"kind\":\"all-reduce\"})",
                        "/topology/schedule must be random-matching for ad-psgd, which draws"
                                + " neighbors at random (null)");
    }

    @Test
    void stalenessCorrectionsAreRead() {
        var async =
                (Synchronization.Async)
                        with("""
                        synchronization: { kind: async, correction: inverse }
                        topology: parameter-server
                        """)
                                .synchronization();

        assertThat(async.correction()).isEqualTo(new StalenessCorrection.Inverse());
        assertThat(async.maxStaleness()).isNull();
    }

    /**
     * The default is one more than the mini-batches that the fastest replica takes on the same
     * weights in a round.
     */
    @Test
    void defaultStalenessFollowsTheLargestBatchCount() {
        var async =
                (Synchronization.Async)
                        with("""
                        synchronization: async
                        partitioning: { kind: batch-counts, counts: [1, 4, 2] }
                        """)
                                .synchronization();

        assertThat(async.maxStaleness()).isEqualTo(4);
    }
}
