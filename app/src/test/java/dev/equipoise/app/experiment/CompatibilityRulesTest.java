package dev.equipoise.app.experiment;

import static dev.equipoise.app.experiment.TestingDefinitions.SHORTEST;
import static dev.equipoise.app.experiment.TestingDefinitions.broken;
import static dev.equipoise.app.experiment.TestingDefinitions.rulesBrokenBy;
import static dev.equipoise.app.experiment.TestingDefinitions.with;
import static dev.equipoise.app.experiment.TestingDefinitions.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.configuration.RunConfiguration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CompatibilityRulesTest {

    private static String fields(String synchronization, String topology, String compression) {
        return "synchronization: %s\ntopology: %s\ncompression: %s\n"
                .formatted(synchronization, topology, compression);
    }

    @ParameterizedTest(name = "{0}, {1}, {2}")
    @CsvSource(
            delimiter = '|',
            value = {
                "bsp | gossip | none | /topology must not be gossip with this synchronization: bsp"
                        + " needs equal weights on all replicas; local-sgd with period 1 exchanges"
                        + " in every round",
                "{kind: diloco, period: 2} | gossip | none | /topology must not be gossip with this"
                        + " synchronization: the outer step needs the mean over all replicas",
                "async | gossip | none | /topology must not be gossip with this synchronization:"
                        + " use ad-psgd for gossip without rounds",
                "{kind: local-sgd, period: 627} | all-reduce | none | /synchronization/period must be at most the rounds"
                        + " of the run, 626",
                "{kind: diloco, period: 627} | all-reduce | none | /synchronization/period must be at most the rounds of"
                        + " the run, 626",
                "{kind: stale-synchronous, bound: 627} | parameter-server | none | /synchronization/bound must be at most"
                        + " the rounds of the run, 626",
                "{kind: async, maxStaleness: 627} | all-reduce | none | /synchronization/maxStaleness must be at most"
                        + " the mini-batches of a replica in the run, 626",
                "{kind: local-sgd, period: 2, momentum: average} | all-reduce | none |"
                        + " /synchronization/momentum must be local, since this optimizer has no"
                        + " state",
                "{kind: local-sgd, period: 2, momentum: reset} | all-reduce | none |"
                        + " /synchronization/momentum must be local, since this optimizer has no"
                        + " state",
                "{kind: async, maxStaleness: 2} | parameter-server | none |"
                        + " /synchronization/maxStaleness must be omitted with a server that"
                        + " applies gradients on arrival; stale-synchronous has a bound",
                "{kind: async, weighting: unweighted} | parameter-server | none |"
                        + " /synchronization/weighting must be omitted with a server, where each"
                        + " gradient is a separate step",
                "{kind: async, inFlight: 2} | parameter-server | none | /synchronization/inFlight must be omitted"
                        + " with a server, where no replica has a sum in flight",
                "{kind: async, own: at-once} | parameter-server | none | /synchronization/own must be omitted with"
                        + " a server, where no replica has a sum in flight",
                "{kind: async, inFlight: 314} | all-reduce | none | /synchronization/inFlight must be unbounded or"
                        + " at most the rounds of an epoch, 313",
                "{kind: async, inFlight: 2, maxStaleness: 2} | all-reduce | none | /synchronization/maxStaleness"
                        + " must be omitted if each round has a sum of its own: inFlight bounds a replica",
                "{kind: async, correction: inverse} | all-reduce | none |"
                        + " /synchronization/correction must be none over an all-reduce, where at"
                        + " most one update happens between reading and applying",
                "{kind: stale-synchronous, bound: 2} | all-reduce | none | /topology must be"
                        + " parameter-server, which knows the progress of each replica",
                "ad-psgd | all-reduce | none | /topology must be gossip for ad-psgd, which"
                        + " exchanges only with neighbors",
                "ad-psgd | gossip | none | /topology/schedule must be random-matching for ad-psgd,"
                        + " which draws neighbors at random",
                "ad-psgd | {kind: gossip, schedule: random-matching, payload: update} | none |"
                        + " /topology/payload must be weights with uniform mixing for ad-psgd",
                "ad-psgd | {kind: gossip, schedule: random-matching, mixing: metropolis} | none |"
                        + " /topology/payload must be weights with uniform mixing for ad-psgd",
                "ad-psgd | {kind: gossip, schedule: random-matching, globalAverageEvery: 4} | none |"
                        + " /topology/globalAverageEvery must be 0 for ad-psgd, which has no rounds",
                "{kind: local-sgd, period: 2} | {kind: parameter-server, aggregate: sum} | none |"
                        + " /topology/aggregate must be mean unless synchronization is bsp: weights"
                        + " are not summed, and gradients that arrive alone have no sum",
                "{kind: local-sgd, period: 2} | {kind: gossip, schedule: {kind: fixed, distance:"
                        + " 6}, globalAverageEvery: 4} | none | /topology/schedule/distance must"
                        + " not be a multiple of the number of replicas",
                "{kind: local-sgd, period: 2} | {kind: gossip, mixing: push-sum, payload: update} |"
                        + " none | /topology/payload must be weights for push-sum, which sends"
                        + " weights with their mass",
                "{kind: local-sgd, period: 2} | {kind: gossip, mixing: push-sum, schedule: {kind:"
                        + " linear, literalPairing: true}} | none |"
                        + " /topology/schedule/literalPairing must be false for push-sum, which"
                        + " sends to one partner",
                "{kind: local-sgd, period: 2} | {kind: gossip, mixing: push-sum,"
                        + " globalAverageEvery: 4} | none | /topology/globalAverageEvery must be 0"
                        + " for push-sum, which would have to average weights and mass",
                "{kind: local-sgd, period: 2} | {kind: gossip, globalAverageEvery: 314} | none |"
                        + " /topology/globalAverageEvery must be at most the exchanges of the run, 313",
                "{kind: local-sgd, period: 2, order: average-then-step} | {kind: gossip, payload:"
                        + " gradient} | none | /synchronization must have the default order and"
                        + " momentum if gradients are exchanged: nothing is averaged before or"
                        + " after the step",
                "{kind: local-sgd, period: 2, order: average-then-step} | {kind: gossip, mixing:"
                        + " push-sum} | none | /synchronization must have the default order and"
                        + " momentum for push-sum",
                "bsp | all-reduce | {kind: qsgd, bits: 4, bucket: 49, errorFeedback: true} |"
                        + " /compression/bucket must be less than the levels squared, 49, with"
                        + " error feedback: the residual would grow without bound",
                "bsp | {algorithm: tree} | sign | /topology/algorithm must be ring with this codec:"
                        + " its frames cannot be summed and circulate to all ranks",
                "bsp | {order: by-link} | qsgd | /topology/order must be by-rank with a codec whose"
                        + " frames circulate to all ranks",
                "bsp | parameter-server | {kind: power-sgd, rank: 2} | /compression must not be"
                        + " power-sgd with parameter servers, each of which has a part of the"
                        + " gradient: its factors need whole layers",
                "{kind: local-sgd, period: 2} | {kind: gossip, payload: update} | {kind: power-sgd,"
                        + " rank: 2} | /compression must not be power-sgd over gossip: its factors"
                        + " are averaged over all replicas",
                "{kind: local-sgd, period: 2} | {kind: gossip, mixing: push-sum} | sign |"
                        + " /compression must be none with push-sum: elements that a codec omits"
                        + " would be lost mass",
                "{kind: local-sgd, period: 2} | gossip | {kind: sign, errorFeedback: false} |"
                        + " /topology/schedule must be fixed if weights are compressed: each"
                        + " replica keeps a copy of its neighbors' weights, and rotating partners"
                        + " would need one of every replica",
                "{kind: local-sgd, period: 2} | {kind: gossip, schedule: fixed} | sign |"
                        + " /compression/errorFeedback must be false if weights are compressed: the"
                        + " difference to the neighbors' copies keeps the omitted elements",
                "{kind: local-sgd, period: 2} | {kind: gossip, schedule: fixed} | {kind: random-k,"
                        + " fraction: 0.1, errorFeedback: false} | /compression must be a"
                        + " contraction if weights are compressed: random-k is none, and qsgd is"
                        + " one only if its bucket is less than its levels squared",
                "{kind: local-sgd, period: 2} | {kind: gossip, schedule: fixed} | qsgd |"
                        + " /compression must be a contraction if weights are compressed: random-k"
                        + " is none, and qsgd is one only if its bucket is less than its levels"
                        + " squared",
                "{kind: bsp, overlap: true} | gossip | none | /topology must not be gossip with this"
                        + " synchronization: bsp needs equal weights on all replicas; local-sgd"
                        + " with period 1 exchanges in every round",
                "{kind: bsp, overlap: true} | all-reduce | {kind: random-k, fraction: 0.1} |"
                        + " /compression must be none with overlap or buckets: a codec selects"
                        + " among the elements of the whole gradient, which no rank has before the"
                        + " backward pass ends",
                "{kind: bsp, bucketMegabytes: 1} | parameter-server | sign | /compression must be"
                        + " none with overlap or buckets: a codec selects among the elements of the"
                        + " whole gradient, which no rank has before the backward pass ends",
                "bsp | {algorithm: tree, order: by-link} | none | /topology/order must be by-rank"
                        + " unless the algorithm is ring: only a ring depends on the order",
                "bsp | {kind: parameter-server, servers: 9, perLayer: true} | none |"
                        + " /topology/servers must be at most the layers with weights of the"
                        + " network, 4, so that each server has some"
            })
    void incompatibleChoicesAreRejectedWithTheReason(
            String synchronization, String topology, String compression, String rule) {
        assertThat(rulesBrokenBy(fields(synchronization, topology, compression)))
                .containsExactly(rule);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "topology: {algorithm: hierarchical} | /topology/algorithm must not be hierarchical"
                        + " in a virtual run, whose ranks have no hosts",
                "topology: {order: by-link} | /topology/order must be by-rank in a virtual run,"
                        + " whose links are not measured",
                "channel: hazelcast | /channel must be direct, the default, in a virtual run, which"
                        + " has no channel"
            })
    void virtualRunHasNoHostsAndNoChannel(String field, String rule) {
        assertThat(rulesBrokenBy("execution: virtual\n" + field)).containsExactly(rule);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "gossip | none",
                "{kind: gossip, payload: update} | none",
                "all-reduce | {kind: top-k, fraction: 0.1}",
                "parameter-server | {kind: top-k, fraction: 0.1}"
            })
    void momentumAveragingNeedsExactMeans(String topology, String compression) {
        String synchronization = "{kind: local-sgd, period: 2, momentum: average}";
        String definition =
                SHORTEST.replace(
                        "epochs: 2",
                        "epochs: 2, optimizer: { kind: sgd, learningRate: 0.1, momentum: 0.9 }");

        assertThat(broken(definition + fields(synchronization, topology, compression)))
                .containsExactly(
                        "/synchronization/momentum must not be average over gossip or with a codec,"
                                + " which compute no exact mean (average)");
    }

    @Test
    void unweightedNeedsAMeanLoss() {
        assertThat(
                        broken(
                                SHORTEST.replace("epochs: 2", "epochs: 2, loss: { reduction: sum }")
                                        + "synchronization: {kind: async, weighting:"
                                        + " unweighted}"))
                .containsExactly(
                        "/synchronization/weighting must be weighted if the loss is a sum, which"
                                + " contains the weight (unweighted)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "momentum: 0.9 | /training/optimizer must be sgd without momentum if own is at-once: the steps of both"
                        + " parts of a mean make the step of the mean only if the optimizer has no state",
                "clipping: { kind: norm, limit: 1 } | /training/optimizer/clipping must be none if own is at-once,"
                        + " which would clip the parts of a mean",
                "weightDecay: 0.1 | /training/optimizer/weightDecay must be 0 if own is at-once, which would decay the"
                        + " weights with each part of a mean"
            })
    void ownStepsAtOnceNeedPlainSgd(String setting, String rule) {
        String definition =
                SHORTEST.replace(
                        "epochs: 2",
                        "epochs: 2, optimizer: { kind: sgd, learningRate: 0.1, " + setting + " }");

        assertThat(broken(definition + "synchronization: { kind: async, own: at-once }"))
                .hasSize(1)
                .allSatisfy(it -> assertThat(it).startsWith(rule));
        assertThat(
                        TestingDefinitions.read(
                                definition + "synchronization: { kind: async, inFlight: 2 }"))
                .hasSize(1);
    }

    /** 60 replicas on one worker have up to 1,000 sums in flight each. */
    @Test
    void queueOfSumsMustFitTheMemoryLimit() {
        String virtual =
                SHORTEST.replace("replicas: 3", "replicas: 60")
                                .replace("epochs: 2", "epochs: 2, batchSize: 1")
                        + "execution: { kind: virtual, samplesPerSecond: 100 }\n";

        assertThat(broken(virtual + "synchronization: { kind: async, inFlight: unbounded }"))
                .anySatisfy(it ->
                        assertThat(it)
                                .startsWith("/synchronization/inFlight must be less: ")
                                .contains("above the limit of 2147483648"));
    }

    @Test
    void metropolisNeedsSamplesOnEveryReplica() {
        String counts =
                """
                synchronization: {kind: local-sgd, period: 1}
                topology: {kind: gossip, mixing: metropolis}
                dataset: {name: mnist, limit: 1000}
                partitioning: {kind: %s}
                """;
        String base = SHORTEST.replace("dataset: { name: mnist }\n", "");

        for (String unequal :
                List.of(
                        "batch-counts, counts: [1000, 1, 1000]",
                        "constant, speeds: [10000, 1, 1]")) {
            assertThat(broken(base + counts.formatted(unequal)))
                    .singleElement()
                    .asString()
                    .startsWith(
                            "/topology/mixing must not be metropolis if a replica has no samples,"
                                    + " which would be its weight: replica 1 has a share of 0 of"
                                    + " the 1000 samples; ");
        }
        for (String unequal :
                List.of(
                        "batch-counts, counts: [100, 1, 100]",
                        "constant, speeds: [100, 1, 1]",
                        "functional")) {
            assertThat(Definition.read(yaml(base + counts.formatted(unequal))).configurations())
                    .hasSize(1);
        }
    }

    @Test
    void gossipNeedsTwoReplicas() {
        assertThat(
                        broken(
                                SHORTEST.replace("replicas: 3", "replicas: 1")
                                        + fields("{kind: local-sgd, period: 2}", "gossip", "none")))
                .containsExactly("/workers/replicas must be at least 2 for gossip (1)");
    }

    @Test
    void fixedDistanceMustReachAllReplicas() {
        String twelve = SHORTEST.replace("replicas: 3", "replicas: 12");
        String fixed =
                "synchronization: {kind: local-sgd, period: 1}\n"
                        + "topology: {kind: gossip, globalAverageEvery: %d,"
                        + " schedule: {kind: fixed, distance: %d}}";

        assertThat(broken(twelve + fixed.formatted(0, 4)))
                .containsExactly(
                        "/topology/schedule/distance must have no divisor in common with the 12"
                                + " replicas: they would form groups that never exchange (4)");
        assertThat(TestingDefinitions.read(twelve + fixed.formatted(0, 5))).hasSize(1);
        assertThat(TestingDefinitions.read(twelve + fixed.formatted(10, 4))).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{kind: parameter-server, servers: 2} | 1",
                "{kind: parameter-server, perLayer: true} | 1",
                "parameter-server | 0"
            })
    void normClippingIsRejectedForPartialGradients(String topology, int rules) {
        String clipped =
                SHORTEST.replace(
                        "epochs: 2",
                        "epochs: 2, optimizer: { kind: sgd, learningRate: 0.1, clipping: { kind:"
                                + " norm, limit: 1 } }");
        List<String> noted = new ArrayList<>();
        for (String synchronization : List.of("async", "{kind: stale-synchronous, bound: 1}")) {
            String definition = clipped + fields(synchronization, topology, "none");
            noted.addAll(rules == 0 ? List.of() : broken(definition));
            if (rules == 0) {
                assertThat(TestingDefinitions.read(definition)).hasSize(1);
            }
        }

        assertThat(noted)
                .hasSize(2 * rules)
                .allSatisfy(it ->
                        assertThat(it)
                                .startsWith(
                                        "/training/optimizer/clipping must not be norm if parts of"
                                                + " a gradient are applied on arrival, each of"
                                                + " which would have a norm of its own"));
        assertThat(TestingDefinitions.read(clipped + fields("bsp", topology, "none"))).hasSize(1);
    }

    @Test
    void allViolationsAreReportedAtOnce() {
        assertThat(
                        rulesBrokenBy(
                                """
                                synchronization: { kind: local-sgd, period: 1000 }
                                topology: { kind: gossip, mixing: push-sum, payload: update,
                                            schedule: { kind: fixed, distance: 3 } }
                                compression: sign
                                heterogeneity: { slowDown: { 3: 2 } }
                                execution: virtual
                                channel: hazelcast
                                """))
                .containsExactlyInAnyOrder(
                        "/synchronization/period must be at most the rounds of the run, 626",
                        "/topology/schedule/distance must not be a multiple of the number of"
                                + " replicas",
                        "/topology/schedule/distance must have no divisor in common with the 3"
                                + " replicas: they would form groups that never exchange",
                        "/topology/payload must be weights for push-sum, which sends weights with"
                                + " their mass",
                        "/compression must be none with push-sum: elements that a codec omits would"
                                + " be lost mass",
                        "/channel must be direct, the default, in a virtual run, which has no"
                                + " channel",
                        "/heterogeneity/slowDown/3 must be a training rank, from 0 to 2");
    }

    @Test
    void onlyTrainingRanksMayBeSlowedDown() {
        assertThat(with("heterogeneity: { slowDown: { 0: 2.5, 2: 1 } }").slowDown(0))
                .isEqualTo(2.5);
        assertThat(with("heterogeneity: { slowDown: { 0: 2.5 } }").slowDown(1)).isEqualTo(1);
        assertThat(
                        rulesBrokenBy(
                                """
                                topology: { kind: parameter-server, servers: 2 }
                                heterogeneity: { slowDown: { 0: 2, 1: 2, 2: 2, 4: 2, 5: 2 } }
                                """))
                .containsExactly(
                        "/heterogeneity/slowDown/0 must be a training rank, from 2 to 4",
                        "/heterogeneity/slowDown/1 must be a training rank, from 2 to 4",
                        "/heterogeneity/slowDown/5 must be a training rank, from 2 to 4");
    }

    @Test
    void slowDownListIsRepeatedOverReplicas() {
        RunConfiguration resolved =
                with(
                        """
                        topology: { kind: parameter-server, servers: 2 }
                        heterogeneity: { slowDown: [2, 3] }
                        """);

        assertThat(resolved.heterogeneity().slowDown())
                .containsExactlyInAnyOrderEntriesOf(Map.of(2, 2.0, 3, 3.0, 4, 2.0));
        assertThat(with("heterogeneity: { slowDown: 4 }").heterogeneity().slowDown())
                .containsExactlyInAnyOrderEntriesOf(Map.of(0, 4.0, 1, 4.0, 2, 4.0));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "[1, 2, 3, 4] | /heterogeneity/slowDown must be a list of 1 or 2 or 3 numbers",
                "[0.5] | /heterogeneity/slowDown/0 must be a number from 1.0 to 1000.0",
                "{0: 0.5} | /heterogeneity/slowDown/0 must be from 1.0 to 1000.0",
                "{0: 1001} | /heterogeneity/slowDown/0 must be from 1.0 to 1000.0",
                "{0: slow} | /heterogeneity/slowDown/0 must be a number",
                "{first: 2} | /heterogeneity/slowDown/first must be a rank from 0 to 1023",
                "{-1: 2} | /heterogeneity/slowDown/-1 must be a rank from 0 to 1023",
                "{1024: 2} | /heterogeneity/slowDown/1024 must be a rank from 0 to 1023"
            })
    void invalidSlowDownIsRejected(String slowDown, String rule) {
        assertThat(rulesBrokenBy("heterogeneity: { slowDown: %s }".formatted(slowDown)))
                .containsExactly(rule);
    }

    @Test
    void batchCountsHaveOneForEachReplica() {
        RunConfiguration resolved =
                with(
                        """
                        topology: parameter-server
                        partitioning: { kind: batch-counts, counts: [1, 2, 5] }
                        """);

        assertThat(resolved.count(0)).as("of the server").isEqualTo(1);
        assertThat(resolved.count(3)).isEqualTo(5);
        assertThat(resolved.rounds()).isEqualTo(Math.round(60_000 / (64 * 8.0)));
    }

    @Test
    void overlapNeedsOneMiniBatchARound() {
        String counts = "partitioning: { kind: batch-counts, counts: [1, 2, 5] }\n";

        assertThat(rulesBrokenBy(counts + "synchronization: { kind: bsp, overlap: true }"))
                .containsExactly(
                        "/synchronization/overlap must be false with batch-counts: the gradient of"
                                + " a round is a sum over several mini-batches and complete only"
                                + " after the last of them");
        assertThat(with(counts + "synchronization: { kind: bsp, bucketMegabytes: 1 }").count(2))
                .isEqualTo(5);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "[1, 2] | /partitioning/counts must be one for each of the 3 replicas",
                "[1, 2, 3, 4] | /partitioning/counts must be one for each of the 3 replicas",
                "[] | /partitioning/counts must be a list of 1 to 1024 numbers",
                "[1, 0, 1] | /partitioning/counts/1 must be a number from 1.0 to 1000.0",
                "[1, 1.5, 1] | /partitioning/counts must be whole numbers"
            })
    void invalidBatchCountsAreRejected(String counts, String rule) {
        String partitioning =
                "partitioning: { kind: batch-counts, counts: %s }\n".formatted(counts);

        assertThat(rulesBrokenBy(partitioning)).containsExactly(rule);
        assertThat(rulesBrokenBy(partitioning + "synchronization: async")).containsExactly(rule);
        assertThat(rulesBrokenBy(partitioning + "synchronization: { kind: local-sgd, period: 2 }"))
                .containsExactly(rule);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{ slowDownFrom: 2 } | must be omitted if slowDown slows no rank",
                "{ slowDown: { 1: 3 }, slowDownFrom: 3 } | must be at most the epochs of the run, 2",
                "{ slowDown: { 1: 3 }, slowDownFrom: 0 } | must be from 1 to 100000"
            })
    void slowDownThatNeverBeginsIsRejected(String heterogeneity, String rule) {
        assertThat(rulesBrokenBy("heterogeneity: " + heterogeneity))
                .containsExactly("/heterogeneity/slowDownFrom " + rule);
    }

    @Test
    void dynamicSharesNeedRoundsWeightedBySamples() {
        String dynamic = "partitioning: dynamic\n";
        String rule =
                "/partitioning must not be dynamic with this method, which weights replicas by"
                        + " shares of the whole run";

        assertThat(rulesBrokenBy(dynamic + "synchronization: async")).containsExactly(rule);
        assertThat(
                        rulesBrokenBy(
                                dynamic
                                        + "synchronization: { kind: local-sgd, period: 2 }\n"
                                        + "topology: { kind: gossip, payload: weights }"))
                .containsExactly(rule);
        assertThat(rulesBrokenBy(dynamic + "record: true"))
                .containsExactly(
                        "/record must be false with dynamic shares, which depend on measured"
                                + " times");
        assertThat(with(dynamic + "topology: parameter-server").hysteresis()).isEqualTo(0.05);
        assertThat(with("partitioning: equal").hysteresis()).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[1.01, 1] | /partitioning/speeds must be one for each of the 3 replicas",
                "[] | /partitioning/speeds must be a list of 1 to 1024 numbers",
                "[1, 0, 1] | /partitioning/speeds/1 must be a number from 1.0E-6 to 1000000.0",
                "[1, -2, 1] | /partitioning/speeds/1 must be a number from 1.0E-6 to 1000000.0"
            })
    void invalidSpeedsAreRejected(String speeds, String rule) {
        assertThat(rulesBrokenBy("partitioning: { kind: constant, speeds: %s }".formatted(speeds)))
                .containsExactly(rule);
    }

    @Test
    void batchCountsHaveNoDefault() {
        assertThat(rulesBrokenBy("partitioning: batch-counts"))
                .containsExactly("/partitioning/counts must be given");
    }

    @Test
    void evaluationHasDefaults() {
        assertThat(
                        with("evaluation: { every: 5, replicas: always }")
                                .instrumentation()
                                .evaluation()
                                .replicas())
                .hasToString("ALWAYS");
        assertThat(with("trace: true").instrumentation().trace()).isTrue();
        assertThat(rulesBrokenBy("evaluation: { every: 0, replicas: often }\ntrace: 1"))
                .containsExactly(
                        "/evaluation/every must be from 1 to 100000",
                        "/evaluation/replicas must be one of [never, last, always]",
                        "/trace must be true or false");
    }

    @Test
    void comparedReplicasMustBeEvaluated() {
        assertThat(
                        with("evaluation: { compared: replicas }")
                                .instrumentation()
                                .evaluation()
                                .compared())
                .hasToString("REPLICAS");
        assertThat(rulesBrokenBy("evaluation: { replicas: never, compared: replicas }"))
                .containsExactly(
                        "/evaluation/compared must be mean if /evaluation/replicas is never: no"
                                + " replica is evaluated alone");
        assertThat(rulesBrokenBy("evaluation: { compared: best }"))
                .containsExactly("/evaluation/compared must be one of [mean, replicas]");
    }
}
