package dev.equipoise.app.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.app.configuration.RunConfiguration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Compares the presets with the settings of their papers. Each row is one setting: scale, the
 * definitions it applies to (a regular expression for their names), the pointer into the resolved
 * definition, its value as JSON, and the place in the paper.
 */
class PublishedSettingsTest {

    private static final ObjectMapper JSON = JsonMapper.builder().build();

    private static final String S1 = "local-sgd-gossip-sparsification";
    private static final String S2 = "lm-ps-allreduce-sampling";
    private static final String S3 = "node-parallel-perceptron";
    private static final String S4 = "asgd-heterogeneous";
    private static final String SWEEP = "lm-vocabulary-sweep";
    private static final String UNEVEN = "lm-uneven-links";
    private static final String QUALITY = "lm-sampling-quality";

    private static List<ObjectNode> definitions(String preset, String scale) {
        return new ExperimentPresets().find(preset).at(scale);
    }

    /** Returns the resolved configurations of the definitions whose name matches. */
    private static List<JsonNode> resolved(String preset, String scale, String names) {
        return definitions(preset, scale).stream()
                .filter(it -> it.path("name").stringValue().matches(names))
                .flatMap(it -> Definition.read(it).configurations().stream())
                .map(PublishedSettingsTest::tree)
                .toList();
    }

    private static JsonNode tree(RunConfiguration configuration) {
        return JSON.readTree(JSON.writeValueAsString(configuration));
    }

    private static void assertSetting(
            String preset, String scale, String names, String pointer, String value, String place) {
        JsonNode wanted = JSON.readTree(value);

        assertThat(resolved(preset, scale, names))
                .as("%s at %s: %s (%s)", preset, scale, pointer, place)
                .isNotEmpty()
                .allSatisfy(it -> {
                    JsonNode found = it.at(pointer);
                    if (wanted.isNumber()) {
                        assertThat(found.doubleValue()).isEqualTo(wanted.doubleValue());
                    } else {
                        assertThat(found).isEqualTo(wanted);
                    }
                });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            textBlock =
                    """
                    full;           .*;           /dataset/name;                  "cifar-10";          section of the runs
                    full;           .*;           /dataset/limit;                 50000;               50000 images, 10000 for the test
                    cifar-100;      .*;           /dataset/name;                  "cifar-100";         figures 11 and 15
                    full;           .*;           /training/epochs;               50;                  section of the runs
                    full;           .*;           /training/batchSize;            100;                 b
                    full;           .*;           /training/loss/reduction;       "sum";               the error is a sum
                    full;           .*;           /training/optimizer/kind;       "sgd";               algorithms 1 to 3
                    full;           .*;           /training/optimizer/momentum;   0;                   algorithms 1 to 3
                    full;           .*;           /training/optimizer/learningRate; 0.0001;            eta
                    full;           .*;           /workers/replicas;              16;                  figures 9 and 11
                    polus-32;       .*;           /workers/replicas;              32;                  figure 13
                    polus-60;       .*;           /workers/replicas;              60;                  figure 14
                    cifar-100-32;   .*;           /workers/replicas;              32;                  figure 15
                    cifar-100-60;   .*;           /workers/replicas;              60;                  figure 16
                    lomonosov-32;   .*;           /workers/replicas;              32;                  figures 17 to 20
                    lomonosov-60;   .*;           /workers/replicas;              60;                  figures 17 to 20
                    lomonosov-210;  .*;           /workers/replicas;              210;                 figures 17 to 20
                    full;           .*;           /evaluation/every;              1;                   accuracy after every epoch
                    full;           .*;           /evaluation/replicas;           "always";            the program has only replicas
                    full;           .*;           /evaluation/compared;           "replicas";          the program has only replicas
                    full;           .*all-reduce; /synchronization/order;         "average-then-step"; algorithm 1
                    full;           .*all-reduce; /compression/kind;              "none";              algorithm 1
                    full;           .*gossip.*;   /topology/kind;                 "gossip";            algorithms 2 and 3
                    full;           .*gossip.*;   /topology/payload;              "gradient";          algorithms 2 and 3
                    full;           .*gossip.*;   /topology/schedule/kind;        "linear";            algorithm 2: s grows with each exchange
                    full;           .*gossip.*;   /topology/mixing;               "uniform";           algorithm 2: a third of each gradient
                    full;           .*gossip;     /compression/kind;              "none";              algorithm 2
                    full;           .*sparse;     /compression/kind;              "threshold";         algorithm 3
                    full;           .*sparse;     /compression/threshold;         1;                   t
                    full;           .*sparse;     /compression/errorFeedback;     false;               algorithm 3 keeps nothing
                    full;           [123] .*;     /synchronization/period;        1;                   configurations 1 to 3
                    full;           [456] .*;     /synchronization/period;        4;                   configurations 4 to 6
                    full;           [789] .*;     /synchronization/period;        16;                  configurations 7 to 9
                    full;           10 .*;        /synchronization/period;        32;                  configuration 10
                    small;          .*;           /training/epochs;               50;                  epochs of the paper
                    small;          .*;           /training/optimizer/learningRate; 0.0005;            eta b of the paper at a fifth of b
                    small;          .*sparse;     /compression/fraction;          0.05;                95 % are left out
                    small-threshold; .*;          /training/epochs;               50;                  epochs of the paper
                    small-threshold; .*;          /training/optimizer/learningRate; 0.0005;            eta b of the paper at a fifth of b
                    small-threshold; .*sparse;    /compression/threshold;         0.2;                 t of a sum over a fifth of the samples
                    small-threshold; .*sparse;    /compression/errorFeedback;     false;               algorithm 3 keeps nothing
                    """)
    void sparsificationHasThePapersSettings(
            String scale, String names, String pointer, String value, String place) {
        assertSetting(S1, scale, names, pointer, value, place);
    }

    /** The small scales have a fifth of the images and of the mini-batch. */
    @Test
    void smallSparsificationHasThePapersRounds() {
        for (String scale : List.of("small", "small-threshold", "full")) {
            for (ObjectNode definition : definitions(S1, scale)) {
                assertThat(rounds(definition)).isEqualTo(31);
            }
        }
    }

    private static int rounds(ObjectNode definition) {
        return Definition.read(definition).configurations().getFirst().rounds();
    }

    /** A process has the bandwidth of its node divided by the cores: 20 and 14. */
    @Test
    void processesOfANodeShareItsBandwidth() {
        double polus = bandwidth("polus-60");
        double lomonosov = bandwidth("lomonosov-60");

        assertThat(polus / lomonosov).isEqualTo(14.0 / 20, within(1e-3));
        assertThat(bandwidth("polus-60-times")).isEqualTo(polus);
        assertThat(bandwidth("lomonosov-60-times")).isEqualTo(lomonosov);
    }

    private static double bandwidth(String scale) {
        return resolved(S1, scale, "1 .*")
                .getFirst()
                .at("/execution/link/megabytesPerSecond")
                .doubleValue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            textBlock =
                    """
                    full;  .*;                     /dataset/name;         "brown";             Brown corpus
                    full;  .*;                     /dataset/vocabulary;   49036;               49036 words
                    full;  .*;                     /network/hidden;       1024;                1024 units, 1024 features
                    full;  .*;                     /training/batchSize;   64;                  mini-batches of 64
                    full;  5-gram.*;               /network/preset;       "feed-forward-lm";   5-gram model
                    full;  5-gram.*;               /dataset/length;       4;                   four words before
                    full;  recurrent.*;            /network/preset;       "rnn-lm";            recurrent model
                    full;  .*server.*;             /topology/kind;        "parameter-server";  parameter server
                    full;  .*server.*;             /topology/servers;     1;                   one server
                    full;  .*ring.*;               /topology/algorithm;   "ring";              algorithm 1
                    full;  .*;                     /synchronization/kind; "bsp";               equation 1
                    full;  .*(server|ring);        /compression/kind;     "none";              table 4
                    full;  .*sampled rows;         /compression/kind;     "sampled-rows";      equation 4
                    full;  .*sampled rows;         /compression/frequent; 0.1;                 41 % saved of 70 % transfer
                    full;  .*sampled rows;         /compression/others;   0.33;                41 % saved of 70 % transfer
                    """)
    void languageModelsHaveThePapersSettings(
            String scale, String names, String pointer, String value, String place) {
        assertSetting(S2, scale, names, pointer, value, place);
    }

    @Test
    void languageModelsTrainOnOneToFourDevices() {
        assertThat(devices("5-gram, ring")).containsExactly(1, 2, 3, 4);
        assertThat(devices("5-gram, server|5-gram, server on the device"))
                .containsExactlyInAnyOrder(1, 2, 3, 4);
        assertThat(devices("recurrent, server")).contains(4);
    }

    private static List<Integer> devices(String names) {
        return resolved(S2, "full", names).stream()
                .map(it -> it.at("/workers/replicas").intValue())
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            textBlock =
                    """
                    full;  .*;               /network/preset;     "rnn-lm";     figure 6: recurrent model
                    full;  .*;               /dataset/length;     20;           sequences of 20
                    full;  .*;               /topology/kind;      "all-reduce"; figure 6: all-reduce
                    full;  .*one device;     /workers/replicas;   1;            figure 6
                    full;  .*four devices;   /workers/replicas;   4;            figure 6
                    full;  49,036 words.*;   /dataset/vocabulary; 49036;        the whole vocabulary
                    """)
    void vocabularySweepHasThePapersSettings(
            String scale, String names, String pointer, String value, String place) {
        assertSetting(SWEEP, scale, names, pointer, value, place);
    }

    /** The output layer dominates: a sample takes 2 h + v times a constant. */
    @ParameterizedTest
    @CsvSource({"small", "full"})
    void computingAWordGrowsWithTheVocabulary(String scale) {
        List<Double> constants =
                resolved(SWEEP, scale, ".*").stream()
                        .map(it ->
                                it.at("/execution/speeds/0/points/0/size").doubleValue()
                                        / it.at("/execution/speeds/0/points/0/seconds")
                                                .doubleValue()
                                        * (2 * it.at("/network/hidden").doubleValue()
                                                + it.at("/dataset/vocabulary").doubleValue()))
                        .toList();

        assertThat(constants).hasSize(10);
        assertThat(constants)
                .allSatisfy(it -> assertThat(it / constants.getFirst()).isEqualTo(1, within(1e-3)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            textBlock =
                    """
                    full; server.*;            /execution/link/megabytesPerSecond;        5960; devices 0 and 1
                    full; server.*;            /heterogeneity/links/0/megabytesPerSecond; 4460; devices 0 and 2
                    full; pair .*;             /workers/replicas;                         2;    figures 7 to 9
                    full; ring.*;              /workers/replicas;                         4;    figure 9
                    """)
    void unevenLinksHaveThePapersSettings(
            String scale, String names, String pointer, String value, String place) {
        assertSetting(UNEVEN, scale, names, pointer, value, place);
    }

    /** The links of the ring are slower than measured, in the same ratio. */
    @Test
    void pairsDifferAsTheMeasuredLinks() {
        JsonNode far = resolved(UNEVEN, "full", "pair \\{0, 2}, ring").getFirst();
        JsonNode near = resolved(UNEVEN, "full", "pair \\{0, 1}, ring").getFirst();

        assertThat(near.at("/heterogeneity/links").isEmpty()).isTrue();
        assertThat(
                        far.at("/execution/link/megabytesPerSecond").doubleValue()
                                / far.at("/heterogeneity/links/0/megabytesPerSecond").doubleValue())
                .isEqualTo(5.96 / 4.46, within(1e-3));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            textBlock =
                    """
                    full; .*;                 /dataset/name;       "brown";      held-out sentences of Brown
                    full; .*;                 /dataset/vocabulary; 49036;        49036 words
                    full; .*;                 /network/hidden;     1024;         1024 units
                    full; .*;                 /training/batchSize; 64;           mini-batches of 64
                    full; .*;                 /workers/replicas;   4;            four devices
                    full; .*;                 /evaluation/every;   1;            curves of the perplexity
                    """)
    void samplingQualityHasThePapersSettings(
            String scale, String names, String pointer, String value, String place) {
        assertSetting(QUALITY, scale, names, pointer, value, place);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            textBlock =
                    """
                    small; .*;      /network/preset;     "mlp-203-100-26"; 203-100-26
                    small; .*;      /workers/replicas;   8;                eight processors
                    small; .*;      /training/loss/kind; "squared-error";  back-propagation
                    small; .*equal; /partitioning/shares; "equal";         nothing balanced
                    small; .*;      /dataset/name;       "nettalk";        NETtalk
                    small; ., 1x8;  /partitioning/nodeParallel; 1;         samples alone
                    small; ., 8x1.*; /partitioning/nodeParallel; 8;         hidden units alone
                    """)
    void nodeParallelPerceptronHasThePapersSettings(
            String scale, String names, String pointer, String value, String place) {
        assertSetting(S3, scale, names, pointer, value, place);
    }

    /** The tables count samples a round: 100 in a and b, 200 in c. */
    @Test
    void nodeParallelRoundsHaveThePapersSamples() {
        for (ObjectNode definition : definitions(S3, "published-times")) {
            RunConfiguration configuration =
                    Definition.read(definition).configurations().getFirst();
            boolean isC = definition.path("name").stringValue().startsWith("c");
            assertThat(configuration.dataset().limit() / configuration.rounds())
                    .isEqualTo(isC ? 200 : 100);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            textBlock =
                    """
                    published;       .*;              /dataset/name;             "mnist";      MNIST
                    published;       .*;              /dataset/limit;            60000;        60000 images
                    published;       .*;              /training/epochs;          200;          200 epochs
                    published;       .*;              /training/batchSize;       2133;         mini-batches of 2133
                    published;       .*;              /workers/replicas;         3;            three processes
                    published;       .*;              /synchronization/weighting; "unweighted"; equation 1
                    published;       .*;              /synchronization/own;      "at-once";    own steps before the sum
                    published;       .* homogeneous;  /partitioning/counts;      [1,1,1];      homogeneous
                    published;       .*heterogeneous; /partitioning/counts;      [1,1,2];      heterogeneous
                    published-fifth; .*;              /dataset/limit;            12000;        a fifth
                    published-fifth; .*;              /training/batchSize;       427;          a fifth
                    published-fifth; .*;              /training/epochs;          200;          200 epochs
                    """)
    void asynchronousLinesHaveThePapersSettings(
            String scale, String names, String pointer, String value, String place) {
        assertSetting(S4, scale, names, pointer, value, place);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            textBlock =
                    """
                    full; .*;       /dataset/name;                         "cifar-10"; table 1
                    full; .*;       /dataset/limit;                        50000;      50000 images
                    full; .*;       /training/optimizer/learningRate;      0.001;      Caffe's solver of cifar10
                    full; .*;       /training/optimizer/momentum;          0.9;        Caffe's solver of cifar10
                    full; .*;       /training/optimizer/weightDecay;       0.004;      Caffe's solver of cifar10
                    full; .*;       /training/optimizer/schedule/kind;     "constant"; Caffe's solver of cifar10
                    full; one node; /training/batchSize;                   100;        Caffe's network of cifar10
                    full; .*4.*;    /workers/replicas;                     4;          four nodes
                    full; .*4.*;    /training/batchSize;                   25;         the same global mini-batch
                    """)
    void parityHasThePapersSettings(
            String scale, String names, String pointer, String value, String place) {
        assertSetting("cifar10-parity", scale, names, pointer, value, place);
    }

    @Test
    void parityHasThePapersIterations() {
        for (ObjectNode definition : definitions("cifar10-parity", "full")) {
            RunConfiguration configuration =
                    Definition.read(definition).configurations().getFirst();
            assertThat(configuration.training().epochs() * configuration.rounds())
                    .isEqualTo(40_000);
        }
    }

    @Test
    void ringsHaveThePapersLinks() {
        assertSetting(
                "ps-vs-ring-communication",
                "full",
                ".*",
                "/execution/link/megabytesPerSecond",
                "14000",
                "links of 14 GB/s");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            textBlock =
                    """
                    a, chosen; 0.5; 0.67; table 1
                    b, chosen; 0.5; 1;    table 1
                    c, chosen; 0.5; 0.67; table 2
                    """)
    void nodeParallelProcessorsHaveThePapersCapabilities(
            String name, double first, double second, String place) {
        JsonNode speeds = resolved(S3, "small", name).getFirst().at("/execution/speeds");
        List<Double> secondsPerSample =
                IntStream.range(0, speeds.size())
                        .mapToObj(i ->
                                speeds.at("/%d/points/0/seconds".formatted(i)).doubleValue()
                                        / speeds.at("/%d/points/0/size".formatted(i)).doubleValue())
                        .toList();

        double fastest = secondsPerSample.getLast();
        assertThat(fastest / secondsPerSample.getFirst()).as(place).isEqualTo(first, within(1e-3));
        assertThat(fastest / secondsPerSample.get(1)).as(place).isEqualTo(second, within(1e-3));
    }
}
