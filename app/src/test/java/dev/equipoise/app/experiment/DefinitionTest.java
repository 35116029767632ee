package dev.equipoise.app.experiment;

import static dev.equipoise.app.experiment.TestingDefinitions.SHORTEST;
import static dev.equipoise.app.experiment.TestingDefinitions.broken;
import static dev.equipoise.app.experiment.TestingDefinitions.read;
import static dev.equipoise.app.experiment.TestingDefinitions.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.protocol.ChannelKind;
import dev.equipoise.protocol.LinkLimit;
import dev.equipoise.protocol.Partitioning;
import dev.equipoise.protocol.Topology;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

class DefinitionTest {

    private static final ObjectMapper JSON = JsonMapper.builder().build();

    @Test
    void shortestDefinitionHasAllDefaultsWrittenOut() {
        JsonNode resolved = JSON.readTree(JSON.writeValueAsString(read(SHORTEST).getFirst()));

        assertThat(resolved)
                .isEqualTo(
                        yaml(
                                """
                                apiVersion: equipoise/v1
                                name: test
                                dataset: { name: mnist, normalisation: { kind: unit }, limit: 60000 }
                                network: { preset: mnist-cnn }
                                training:
                                  epochs: 2
                                  batchSize: 64
                                  loss: { kind: softmax-cross-entropy, reduction: mean }
                                  optimizer:
                                    kind: sgd
                                    learningRate: 0.05
                                    momentum: 0.0
                                    nesterov: false
                                    schedule: { kind: constant, warmUp: 0.0 }
                                    clipping: { kind: none }
                                workers: { replicas: 3, minimum: 3, selector: {} }
                                partitioning: { kind: equal }
                                synchronization: { kind: bsp }
                                topology: { kind: all-reduce, algorithm: ring, order: by-rank }
                                compression: { kind: none }
                                channel: direct
                                heterogeneity: { links: [], slowDown: {}, slowDownFrom: 1 }
                                execution: { kind: real }
                                evaluation: { every: 1, replicas: last }
                                trace: false
                                record: false
                                preemption: never
                                checkpoint: { every: 1, keep: 1 }
                                restarts: 5
                                seed: 1
                                """));
    }

    /** A run configuration is itself a definition of the same configuration. */
    @Test
    void resolvedConfigurationResolvesToItself() {
        RunConfiguration resolved = read(SHORTEST + "partitioning: functional").getFirst();

        assertThat(Definition.read(JSON.valueToTree(resolved)).configurations())
                .containsExactly(resolved);
    }

    /** Agents parse plans by the same names. */
    @ParameterizedTest
    @EnumSource
    void algorithmNamesMatchThoseOfAgents(Topology.Algorithm algorithm) {
        String name = JSON.convertValue(algorithm, String.class);

        RunConfiguration resolved =
                read(SHORTEST + "topology: { kind: all-reduce, algorithm: " + name + " }")
                        .getFirst();

        assertThat(resolved.topology()).isEqualTo(Topology.AllReduce.by(algorithm));
    }

    @Test
    void ringMayBeOrderedByLink() {
        assertThat(read(SHORTEST + "topology: { order: by-link }").getFirst().topology())
                .isEqualTo(
                        new Topology.AllReduce(
                                Topology.Algorithm.RING, Topology.RingOrder.BY_LINK));
    }

    @Test
    void otherAlgorithmsCannotBeOrderedByLink() {
        assertThat(broken(SHORTEST + "topology: { algorithm: tree, order: by-link }"))
                .containsExactly(
                        "/topology/order must be by-rank unless the algorithm is ring: only a ring"
                                + " depends on the order (by-link)");
        assertThat(
                        broken(
                                SHORTEST.replace("replicas: 3", "replicas: 65")
                                        + "topology: { order: by-link }"))
                .containsExactly(
                        "/topology/order must be by-rank for more than 64 replicas, since every"
                                + " link between them is measured (by-link)");
        assertThat(
                        broken(
                                SHORTEST
                                        + "topology: { order: by-link }\n"
                                        + "heterogeneity: { links: [{ between: [0, 1],"
                                        + " megabytesPerSecond: 1 }] }"))
                .containsExactly(
                        "/topology/order must be by-rank if /heterogeneity/links names ranks: the"
                                + " order is computed for the real links (by-link)");
    }

    @Test
    void linkLimitsAreForOneLinkOrAllOthers() {
        assertThat(
                        read(SHORTEST
                                        + """
                                        heterogeneity:
                                          links:
                                            - { between: [2, 0], megabytesPerSecond: 12.5, delayMilliseconds: 1 }
                                            - { delayMilliseconds: 0.5 }
                                        """)
                                .getFirst()
                                .heterogeneity()
                                .links())
                .containsExactly(
                        new LinkLimit(List.of(2, 0), 12.5, 1), new LinkLimit(null, null, 0.5));
        assertThat(read(SHORTEST).getFirst().heterogeneity().links()).isEmpty();
    }

    @Test
    void invalidLinkLimitsAreRejected() {
        assertThat(
                        broken(
                                SHORTEST
                                        + """
                                        heterogeneity:
                                          links:
                                            - { between: [0, 1024], megabytesPerSecond: 1 }
                                            - { between: [0.5, 1], megabytesPerSecond: 1 }
                                            - { megabytesPerSecond: 0.001, speed: 1 }
                                            - { delayMilliseconds: -1 }
                                        """))
                .containsExactlyInAnyOrder(
                        "/heterogeneity/links/0/between/1 must be a number from 0.0 to 1023.0 (1024)",
                        "/heterogeneity/links/1/between must be whole numbers ([0.5,1])",
                        "/heterogeneity/links/2/megabytesPerSecond must be from 0.1 to 1000000.0"
                                + " (0.001)",
                        "/heterogeneity/links/2/speed is not a field; the fields here are [between,"
                                + " delayMilliseconds, megabytesPerSecond] (1)",
                        "/heterogeneity/links/3/delayMilliseconds must be from 0.0 to 10000.0"
                                + " (-1)");
        assertThat(
                        broken(
                                SHORTEST
                                        + """
                                        heterogeneity:
                                          links:
                                            - { between: [0, 1], megabytesPerSecond: 1 }
                                            - { between: [1, 0], delayMilliseconds: 1 }
                                            - { between: [2, 2], delayMilliseconds: 1 }
                                            - { between: [2, 3], delayMilliseconds: 1 }
                                            - {}
                                        """))
                .containsExactlyInAnyOrder(
                        "/heterogeneity/links/1 must not limit the same links as another element"
                                + " ({\"between\":[1,0],\"delayMilliseconds\":1})",
                        "/heterogeneity/links/2/between must be two different ranks from 0 to 2"
                                + " ([2,2])",
                        "/heterogeneity/links/3/between must be two different ranks from 0 to 2"
                                + " ([2,3])",
                        "/heterogeneity/links/4 must have megabytesPerSecond, or a"
                                + " delayMilliseconds above 0 ({})");
        assertThat(broken(SHORTEST + "heterogeneity: { slowDown: slowly }"))
                .singleElement()
                .asString()
                .startsWith("/heterogeneity/slowDown ");
    }

    @ParameterizedTest
    @EnumSource
    void channelNamesMatchThoseOfAgents(ChannelKind channel) {
        String name = JSON.convertValue(channel, String.class);

        assertThat(read(SHORTEST + "channel: " + name).getFirst().channel()).isEqualTo(channel);
    }

    @Test
    void kindAloneIsTheShortForm() {
        assertThat(
                        read(
                                SHORTEST
                                        + """
                                        partitioning: functional
                                        synchronization: bsp
                                        topology: all-reduce
                                        compression: none
                                        """))
                .isEqualTo(
                        read(
                                SHORTEST
                                        + """
                                        partitioning: { kind: functional, model: piecewise }
                                        """));
    }

    @Test
    void allViolationsAreReportedAtOnce() {
        assertThat(
                        broken(
                                """
                                apiVersion: equipoise/v2
                                dataset: { name: cifar, limit: 0, colour: red }
                                network: []
                                training: { epochs: 0, batchSize: 8193, optimizer: { learningRate: 0 } }
                                workers: { replicas: three, selector: { rack: 7 } }
                                partitioning: magic
                                topology: { kind: all-reduce, algorithm: star }
                                channel: pigeon
                                seed: 1.5
                                sneed: 1
                                """))
                .containsExactly(
                        "/apiVersion must be one of [equipoise/v1]; did you mean equipoise/v1?"
                                + " (equipoise/v2)",
                        "/name must be given (null)",
                        "/dataset/name must be one of [brown, cifar-10, cifar-100, csv,"
                                + " fashion-mnist, idx, mnist, nettalk, optdigits, synthetic]"
                                + " (cifar)",
                        "/dataset/limit must be from 1 to 2147483647 (0)",
                        "/network must be an object ([])",
                        "/training/epochs must be from 1 to 100000 (0)",
                        "/training/batchSize must be from 1 to 8192 (8193)",
                        "/training/optimizer/learningRate must be from 1.1754943508222875E-38 to 1000.0 (0)",
                        "/workers/replicas must be a whole number (three)",
                        "/workers/selector/rack must be text that is not blank (7)",
                        "/partitioning/kind must be one of [equal, constant, functional, dynamic, batch-counts, hybrid] (magic)",
                        "/topology/algorithm must be one of [ring, tree, recursive-doubling,"
                                + " halving-doubling, hierarchical, flat, auto] (star)",
                        "/channel must be one of [direct, hazelcast] (pigeon)",
                        "/seed must be a whole number of 64 bits (1.5)",
                        "/sneed is not a field; did you mean seed? The fields here are [apiVersion, channel, checkpoint,"
                                + " compression, dataset, evaluation, execution, heterogeneity, initial, keepModel, matrix,"
                                + " name, network, partitioning, preemption, priority, record, restarts, seed, seeds, synchronization, topology, trace,"
                                + " training, workers] (1)");
    }

    @Test
    void misspelledWordsOfADefinitionGetASuggestion() {
        String misspelled =
                SHORTEST + "synchronization: local-sdg\n" + "optimiser: sgd\n" + "seedss: [1, 2]\n";

        assertThat(broken(misspelled))
                .satisfiesExactly(
                        kind ->
                                assertThat(kind)
                                        .startsWith("/synchronization/kind must be one of [bsp,")
                                        .contains("]; did you mean local-sgd?"),
                        field ->
                                assertThat(field)
                                        .startsWith(
                                                "/optimiser is not a field; the fields here are ["),
                        seeds ->
                                assertThat(seeds)
                                        .startsWith("/seedss is not a field; did you mean seeds?"));
    }

    /**
     * Batch efficiency 0.963 (docs/algorithms.md, section 7), where the counts 1, 1 and 2 have
     * 0.926.
     */
    @Test
    void batchCountsAreComputedForGivenSpeeds() {
        String withSpeeds =
                SHORTEST + "partitioning: { kind: batch-counts, speeds: [1.01, 1.00, 2.31] }\n";

        assertThat(read(withSpeeds).getFirst().partitioning())
                .isEqualTo(new Partitioning.BatchCounts(List.of(2, 2, 5)));
        assertThat(broken(withSpeeds.replace("2.31]", "2.31], counts: [1, 1, 2]")))
                .containsExactly(
                        "/partitioning/counts must not be given with speeds, from which the counts"
                                + " are computed ([1,1,2])");
        assertThat(broken(withSpeeds.replace("1.00", "0")))
                .containsExactly(
                        "/partitioning/speeds/1 must be a number from 1.0E-6 to 1000000.0 (0)");
        assertThat(broken(withSpeeds.replace("2.31]", "5000]")))
                .containsExactly(
                        "/partitioning/speeds must be less unequal: with 12 mini-batches, the"
                                + " slowest replica gets none ([1.01,1.0,5000])");
    }

    @Test
    void batchCountsAreRoundedDownOnRequest() {
        String floored =
                SHORTEST
                        + "partitioning: { kind: batch-counts, speeds: [1.01, 1.00, 2.31],"
                        + " rounding: floor }\n";

        assertThat(read(floored).getFirst().partitioning())
                .isEqualTo(new Partitioning.BatchCounts(List.of(1, 1, 2)));
        assertThat(broken(floored.replace("floor", "floor, most: 9")))
                .containsExactly(
                        "/partitioning/most must not be given with rounding floor, which has one"
                                + " result only (9)");
        assertThat(broken(floored.replace("2.31", "1002")))
                .containsExactly(
                        "/partitioning/speeds must be less unequal: the fastest replica gets 1002"
                                + " mini-batches a round, above the limit of 1000"
                                + " ([1.01,1.0,1002])");
        assertThat(broken(floored.replace("speeds: [1.01, 1.00, 2.31]", "counts: [1, 1, 2]")))
                .containsExactly(
                        "/partitioning/rounding must not be given with counts; speeds or counts:"
                                + " auto are rounded (floor)");
    }

    @Test
    void gemmKernelNeedsWholeProfilesOfRealWorkers() {
        String gemm = SHORTEST + "partitioning: { kind: functional, kernel: gemm%s }\n";

        assertThat(read(gemm.formatted("")).getFirst().sharesByGemm()).isTrue();
        assertThat(read(gemm.formatted("").replace("gemm", "training-step")).getFirst())
                .matches(it -> !it.sharesByGemm());
        assertThat(broken(gemm.formatted(", points: partial, model: akima")))
                .containsExactly(
                        "/partitioning/model must not be akima with the kernel gemm, which is"
                                + " measured at fewer than five sizes (akima)",
                        "/partitioning/points must be full with the kernel gemm, which is measured"
                                + " in whole profiles only (partial)");
        assertThat(broken(gemm.formatted("") + "execution: virtual\n"))
                .containsExactly(
                        "/partitioning/kernel must be training-step in a run on one worker, whose"
                                + " replicas have speeds of the training step only (gemm)");
    }

    @Test
    void partialPointsNeedAWorkerForEveryRank() {
        assertThat(
                        broken(
                                SHORTEST
                                        + """
                                        partitioning: { kind: functional, points: partial }
                                        execution: virtual
                                        """))
                .containsExactly(
                        "/partitioning/points must be full in a run on one worker, which is not"
                                + " measured at each rank's share (partial)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "7", "text", "null", "true", "# nothing"})
    void definitionMustBeAnObject(String yaml) {
        assertThat(broken(yaml)).containsExactly(" must be an object (null)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "epochs: -1 | must be from 1 to 100000 (-1)",
                "epochs: 100001 | must be from 1 to 100000 (100001)",
                "epochs: 9999999999 | must be from 1 to 100000 (9999999999)",
                "epochs: 99999999999999999999999 | must be a whole number (99999999999999999999999)",
                "epochs: 1.0 | must be a whole number (1.0)",
                "epochs: NaN | must be a whole number (NaN)",
                "epochs: '2' | must be a whole number (2)",
                "epochs: true | must be a whole number (true)",
                "epochs: null | must be a whole number (null)",
                "epochs: [1] | must be a whole number ([1])",
                "epochs: {a: 1} | must be a whole number ({\"a\":1})"
            })
    void wholeNumberOutOfRangeIsRejected(String field, String rule) {
        assertThat(broken(SHORTEST.replace("epochs: 2", field)))
                .singleElement()
                .asString()
                .startsWith("/training/epochs " + rule);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "1e-38", "-0.1", "1e400", "-1e400", "1000.1", "NaN", "'1'"})
    void numberOutOfRangeIsRejected(String value) {
        assertThat(
                        broken(
                                SHORTEST.replace(
                                        "epochs: 2",
                                        "epochs: 2, optimizer: { learningRate: %s }"
                                                .formatted(value))))
                .singleElement()
                .asString()
                .startsWith("/training/optimizer/learningRate must be ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"9223372036854775808", "1.5", "'1'", "null", "1e3"})
    void seedBeyond64BitsIsRejected(String seed) {
        assertThat(broken(SHORTEST + "seed: " + seed))
                .singleElement()
                .asString()
                .startsWith("/seed must be a whole number of 64 bits");
    }

    @Test
    void extremeSeedsAreAccepted() {
        assertThat(read(SHORTEST + "seeds: [9223372036854775807, -9223372036854775808]"))
                .extracting(RunConfiguration::seed)
                .containsExactly(Long.MAX_VALUE, Long.MIN_VALUE);
    }

    @Test
    void nameHasAtMost200Characters() {
        assertThat(read(SHORTEST.replace("name: test", "name: " + "n".repeat(200)))).hasSize(1);
        assertThat(broken(SHORTEST.replace("name: test", "name: " + "n".repeat(201))))
                .containsExactly(
                        "/name must have at most 200 characters (" + "n".repeat(200) + ")");
    }

    /** A line feed, an escape, a line separator and a right-to-left override. */
    @ParameterizedTest
    @ValueSource(strings = {"\\n", "\\e", "\\u2028", "\\u202e"})
    void textsHaveNoControlCharacters(String escaped) {
        String text = "\"a" + escaped + "b\"";
        assertThat(broken(SHORTEST.replace("name: test", "name: " + text)))
                .singleElement()
                .asString()
                .startsWith("/name must not contain control characters or line separators");
        assertThat(broken(withSelector("rack: " + text)))
                .singleElement()
                .asString()
                .startsWith("/workers/selector/rack must not contain control characters");
        assertThat(broken(withSelector(text + ": x")))
                .singleElement()
                .asString()
                .startsWith("/workers/selector must have names without control characters");
    }

    @Test
    void selectorHasAtMost64Labels() {
        String labels =
                IntStream.range(0, 65)
                        .mapToObj(it -> "l" + it + ": x")
                        .collect(Collectors.joining(", "));
        assertThat(
                        broken(
                                SHORTEST.replace(
                                        "replicas: 3", "replicas: 3, selector: {" + labels + "}")))
                .singleElement()
                .asString()
                .startsWith("/workers/selector must have at most 64 fields");
    }

    @Test
    void labelNameHasAtMost200Characters() {
        assertThat(read(withSelector("l".repeat(200) + ": x"))).hasSize(1);
        assertThat(broken(withSelector("l".repeat(201) + ": x")))
                .singleElement()
                .asString()
                .startsWith("/workers/selector must have names of at most 200 characters");
        assertThat(
                        broken(
                                SHORTEST
                                        + "matrix: { workers.selector.%s: [x] }"
                                                .formatted("l".repeat(201))))
                .singleElement()
                .asString()
                .startsWith("/matrix/workers.selector.l")
                .contains("/0 must have names of at most 200 characters");
    }

    private static String withSelector(String labels) {
        return SHORTEST.replace("replicas: 3", "replicas: 3, selector: {" + labels + "}");
    }

    private static String seeds(int count) {
        return "seeds: " + IntStream.range(0, count).mapToObj(String::valueOf).toList() + "\n";
    }

    @Test
    void largeDefinitionsHaveFewerRuns() {
        String labels =
                IntStream.range(0, 64)
                        .mapToObj(it -> "%0200d: %s".formatted(it, "v".repeat(200)))
                        .collect(Collectors.joining(", "));
        String large = withSelector(labels);

        assertThat(read(SHORTEST + seeds(1000))).hasSize(1000);
        assertThat(read(large + seeds(100))).hasSize(100);
        assertThat(broken(large + seeds(1000)))
                .singleElement()
                .asString()
                .startsWith(
                        " must have at most 4194304 characters in all run configurations"
                                + " together (26");
        assertThat(
                        broken(
                                SHORTEST
                                        + seeds(500)
                                        + "matrix: { name: [a, %s] }".formatted("n".repeat(9000))))
                .singleElement()
                .asString()
                .startsWith(
                        " must have at most 4194304 characters in all run configurations together"
                                + " (9157000)");
    }

    @Test
    void everyReplicaNeedsASample() {
        assertThat(broken(SHORTEST.replace("name: mnist", "name: mnist, limit: 2")))
                .containsExactly("/dataset/limit must be at least the number of replicas, 3 (2)");
    }

    @Test
    void limitIsAtMostTheSizeOfTheDataSet() {
        assertThat(broken(SHORTEST.replace("name: mnist", "name: mnist, limit: 60001")))
                .containsExactly("/dataset/limit must be from 1 to 60000 (60001)");
    }

    @Test
    void pointersAreEscaped() {
        assertThat(broken(SHORTEST + "a/b~c: 1"))
                .singleElement()
                .asString()
                .startsWith("/a~1b~0c is not a field");
    }

    @Test
    void atMostAHundredViolationsAreReported() {
        String unknown =
                IntStream.range(0, 5000)
                        .mapToObj(it -> "f" + it + ": 1\n")
                        .collect(Collectors.joining());
        assertThat(broken(SHORTEST + unknown)).hasSize(100);
    }

    @Test
    void roundsAreTheSamplesOverTheGlobalBatch() {
        assertThat(read(SHORTEST).getFirst().rounds()).isEqualTo(313);
        assertThat(
                        read(SHORTEST.replace("name: mnist", "name: mnist, limit: 3"))
                                .getFirst()
                                .rounds())
                .isEqualTo(1);
    }

    @Test
    void gridExpandsInOrderWithSeedsFastest() {
        List<RunConfiguration> configurations =
                read(
                        SHORTEST
                                + """
                                matrix:
                                  partitioning: [equal, functional]
                                  training.epochs: [1, 3]
                                seeds: [7, 5]
                                """);

        assertThat(configurations)
                .extracting(
                        it ->
                                it.partitioning() instanceof Partitioning.Equal
                                        ? "equal"
                                        : "functional",
                        it -> it.training().epochs(),
                        RunConfiguration::seed)
                .extracting(Object::toString)
                .containsExactly(
                        "(\"equal\", 1, 7L)",
                        "(\"equal\", 1, 5L)",
                        "(\"equal\", 3, 7L)",
                        "(\"equal\", 3, 5L)",
                        "(\"functional\", 1, 7L)",
                        "(\"functional\", 1, 5L)",
                        "(\"functional\", 3, 7L)",
                        "(\"functional\", 3, 5L)");
    }

    @Test
    void sourceStaysUnchanged() {
        JsonNode source = yaml(SHORTEST + "matrix: { training.epochs: [1, 3] }");

        assertThat(Definition.read(source).source())
                .isEqualTo(yaml(SHORTEST + "matrix: { training.epochs: [1, 3] }"));
    }

    @Test
    void violationInTheGridPointsIntoMatrixOrSeeds() {
        assertThat(
                        broken(
                                SHORTEST
                                        + """
                                        matrix:
                                          training.epochs: [1, 0]
                                          partitioning: [equal, { kind: functional, model: cubic }]
                                          workers.selector.a~b/c: [x, 7]
                                        seeds: [1, x]
                                        """))
                .containsExactlyInAnyOrder(
                        "/matrix/training.epochs/1 must be from 1 to 100000 (0)",
                        "/matrix/partitioning/1/model must be one of [constant, piecewise, akima] (cubic)",
                        "/matrix/workers.selector.a~0b~1c/1 must be text that is not blank (7)",
                        "/seeds/1 must be a whole number of 64 bits (x)");
    }

    @Test
    void violationOfASeedInTheMatrixPointsThere() {
        assertThat(broken(SHORTEST + "matrix: { seed: [1, x] }"))
                .containsExactly("/matrix/seed/1 must be a whole number of 64 bits (x)");
    }

    @Test
    void depthOfAGridPathIsLimited() {
        String deep = ".a".repeat(500).substring(1);

        assertThat(broken(SHORTEST + "matrix: { %s: [1] }".formatted(deep)))
                .containsExactly(
                        ("/matrix/%s must be the path of a field: at most 8 names separated by dots"
                                        + " (null)")
                                .formatted(deep));
    }

    @Test
    void depthOfAGridValueIsLimited() {
        String deepest = "[".repeat(16) + "]".repeat(16);
        String deeper = "[".repeat(17) + "]".repeat(17);
        String deep = "[".repeat(480) + "]".repeat(480);

        assertThat(
                        broken(
                                SHORTEST
                                        + "matrix: { seed: [%s, %s, %s] }"
                                                .formatted(deepest, deeper, deep)))
                .containsExactly(
                        "/matrix/seed/1 must be nested at most 16 deep (%s)".formatted(deeper),
                        "/matrix/seed/2 must be nested at most 16 deep (%s)"
                                .formatted("[".repeat(200)));
        assertThat(broken(SHORTEST + "matrix: { a.b.c.d.e.f.g.h: [%s] }".formatted(deepest)))
                .singleElement()
                .asString()
                .startsWith("/matrix/a.b.c.d.e.f.g.h/0 is not a field");
        assertThat(broken(SHORTEST + "seeds: [%s]".formatted(deeper)))
                .containsExactly("/seeds/0 must be nested at most 16 deep (%s)".formatted(deeper));
    }

    @Test
    void gridPathExtendsAShortForm() {
        assertThat(
                        read(
                                SHORTEST
                                        + """
                                        partitioning: functional
                                        matrix: { partitioning.model: [piecewise] }
                                        """))
                .containsExactlyElementsOf(read(SHORTEST + "partitioning: functional"));
    }

    @Test
    void gridPathThroughATextIsReportedInTheMatrix() {
        assertThat(broken(SHORTEST + "matrix: { name.first: [a] }"))
                .singleElement()
                .asString()
                .startsWith("/matrix/name.first/0 must be text that is not blank");
    }

    @ParameterizedTest
    @ValueSource(strings = {".", "''", "..", "training.", ".training", "training..epochs"})
    void gridPathWithAnEmptyNameIsRejected(String path) {
        assertThat(broken(SHORTEST + "matrix: { %s: [1] }".formatted(path)))
                .containsExactly(
                        ("/matrix/%s must be the path of a field: at most 8 names separated by dots"
                                        + " (null)")
                                .formatted(path.replace("'", "")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "7", "null", "{}", "text"})
    void gridValuesMustBeANonEmptyList(String values) {
        assertThat(broken(SHORTEST + "matrix: { training.batchSize: %s }".formatted(values)))
                .containsExactly(
                        "/matrix/training.batchSize must be a list with at least one value (null)");
        assertThat(broken(SHORTEST + "seeds: " + values))
                .containsExactly("/seeds must be a list with at least one value (null)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "7", "null"})
    void matrixMustBeAnObjectOfLists(String matrix) {
        assertThat(broken(SHORTEST + "matrix: " + matrix))
                .containsExactly("/matrix must be an object of lists (null)");
    }

    @Test
    void repeatedSeedIsTrainedTwice() {
        assertThat(read(SHORTEST + "seeds: [4, 4]"))
                .extracting(RunConfiguration::seed)
                .containsExactly(4L, 4L);
    }

    @Test
    void seedsAreGivenInOnePlace() {
        assertThat(broken(SHORTEST + "seeds: [1]\nmatrix: { seed: [2] }"))
                .containsExactly("/seeds must not be given with /matrix/seed (null)");
    }

    @Test
    void gridHasAtMostAThousandRuns() {
        String seeds = IntStream.range(0, 1000).boxed().toList().toString();

        assertThat(read(SHORTEST + "seeds: " + seeds)).hasSize(1000);
        assertThat(broken(SHORTEST + "matrix: { training.epochs: [1, 2] }\nseeds: " + seeds))
                .containsExactly("/matrix must stand for at most 1000 runs (2000.0)");
    }

    /** The field that varies is missing without the matrix. */
    @Test
    void tooManyRunsAreTheOnlyViolationOfAValidDefinition() {
        String epochs = IntStream.range(1, 1002).boxed().toList().toString();

        assertThat(
                        broken(
                                SHORTEST.replace("training: { epochs: 2 }", "training: {}")
                                        + "matrix: { training.epochs: %s }".formatted(epochs)))
                .containsExactly("/matrix must stand for at most 1000 runs (1001.0)");
    }
}
