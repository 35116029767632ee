package dev.equipoise.agent.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtSession;
import dev.equipoise.agent.dataset.DatasetRegistry;
import dev.equipoise.agent.dataset.DatasetSettings;
import dev.equipoise.agent.network.TargetCode;
import dev.equipoise.protocol.SoftwareVersion;
import dev.equipoise.protocol.dataset.Normalization;
import dev.equipoise.protocol.dataset.OwnSpec;
import dev.equipoise.protocol.model.ModelStream;
import dev.equipoise.protocol.model.ModelTensors;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Layer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs the commands on the model of digits, of whose 20 samples one gets a wrong label here. */
class ModelCommandsTest {

    private static final int WRONG = 3;
    private static final String MODEL = TestingModels.file("digits").toString();

    @TempDir private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return ModelCommands.execute(new PrintWriter(out), new PrintWriter(err, true), arguments);
    }

    private static int best(JsonNode sample) {
        List<JsonNode> scores = List.copyOf(sample.path("scores").values());
        int best = 0;
        for (int i = 1; i < scores.size(); i++) {
            best = scores.get(i).asDouble() > scores.get(best).asDouble() ? i : best;
        }
        return best;
    }

    /** Returns the labels, which are the predictions but for one. */
    private static List<Integer> labels() throws IOException {
        List<Integer> labels = new ArrayList<>();
        TestingModels.oracle("digits").forEach(sample -> labels.add(best(sample)));
        labels.set(WRONG, (labels.get(WRONG) + 1) % 10);
        return labels;
    }

    private Path csv(String header, boolean areLabeled) throws IOException {
        List<String> lines = new ArrayList<>();
        if (!header.isEmpty()) {
            lines.add(header);
        }
        List<Integer> labels = labels();
        for (JsonNode sample : TestingModels.oracle("digits")) {
            List<String> cells = new ArrayList<>();
            sample.path("sample").values().forEach(value -> cells.add(value.asString()));
            if (areLabeled) {
                cells.add(" " + labels.get(lines.size() - (header.isEmpty() ? 0 : 1)));
            }
            lines.add(String.join(",", cells));
        }
        return Files.write(folder.resolve("samples.csv"), lines);
    }

    @Test
    void tableShowsPredictionsAndTheAccuracy() throws Exception {
        int status = run("predict", MODEL, csv("", true).toString());

        assertThat(err.toString()).isEmpty();
        assertThat(status).isZero();
        assertThat(out.toString())
                .startsWith("sample  label  predicted  probability\n")
                .endsWith("accuracy 0.9500: 19 of 20 predictions are correct\n");
        assertThat(out.toString().lines()).hasSize(22);
    }

    @Test
    void headerIsSkippedAndLabelsMayBeMissing() throws Exception {
        String header = "p" + ",p".repeat(63);

        assertThat(run("predict", MODEL, csv(header, false).toString())).isZero();
        assertThat(out.toString()).endsWith("20 predictions; the data have no labels\n");
    }

    @Test
    void jsonHasTheBestClassesWithTheirProbabilities() throws Exception {
        assertThat(run("predict", MODEL, csv("", true).toString(), "--output=json", "--top=10"))
                .isZero();

        JsonNode result = JsonMapper.shared().readTree(out.toString());
        assertThat(result.path("accuracy").asDouble()).isEqualTo(0.95);
        assertThat(result.path("count").asInt()).isEqualTo(20);
        JsonNode first = result.path("predictions").path(0);
        assertThat(first.path("label").asString())
                .isEqualTo(first.at("/classes/0/class").asString());
        assertThat(
                        first.path("classes").values().stream()
                                .mapToDouble(candidate -> candidate.path("probability").asDouble())
                                .sum())
                .isBetween(0.999999, 1.000001);
    }

    @Test
    void csvHasOneRowForEachPredictionAndTheAccuracyBeside() throws Exception {
        assertThat(run("predict", MODEL, csv("", true).toString(), "--output", "csv", "--top=2"))
                .isZero();

        assertThat(out.toString())
                .startsWith(
                        "sample,position,label,predicted1,probability1,predicted2,probability2\n"
                                + "0,0,5,5,0.");
        assertThat(out.toString().lines()).hasSize(21);
        assertThat(err.toString()).startsWith("accuracy 0.9500");
    }

    @Test
    void idxImagesGoWithTheirLabels() throws Exception {
        List<JsonNode> samples = TestingModels.oracle("digits");
        ByteBuffer images = ByteBuffer.allocate(16 + samples.size() * 64);
        images.putInt(0x0803).putInt(samples.size()).putInt(8).putInt(8);
        samples.forEach(sample ->
                sample.path("sample").values().forEach(value -> images.put((byte) value.asInt())));
        ByteBuffer labels = ByteBuffer.allocate(8 + samples.size());
        labels.putInt(0x0801).putInt(samples.size());
        labels().forEach(label -> labels.put(label.byteValue()));
        Path packed = folder.resolve("images.gz");
        try (var gzip = new GZIPOutputStream(Files.newOutputStream(packed))) {
            gzip.write(images.array());
        }
        Path plain = Files.write(folder.resolve("labels"), labels.array());

        int status = run("predict", MODEL, packed.toString(), "--labels=" + plain);

        assertThat(err.toString()).isEmpty();
        assertThat(status).isZero();
        assertThat(out.toString()).contains("accuracy 0.9500: 19 of 20");
    }

    @Test
    void withoutAFileTheTestSetIsEvaluated() throws Exception {
        ModelDescription synthetic =
                TestingModels.all()
                        .filter(model -> model.network().name().equals("pixels"))
                        .findFirst()
                        .orElseThrow();

        assertThat(run("predict", model(synthetic).toString())).isZero();
        assertThat(out.toString()).contains("accuracy 0.").contains(" of 20 predictions");
    }

    private Path model(ModelDescription description) throws IOException {
        Path path = folder.resolve("model.safetensors");
        var parameters = MemorySegment.ofArray(new float[description.network().parameterCount()]);
        try (var stream =
                new ModelStream(
                        description.toMetadata(),
                        ModelTensors.of(description.network()),
                        parameters)) {
            Files.copy(stream, path);
        }
        return path;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    1,2     | line 1: must have 64 columns, or 65 with a class, like all rows, but has 2
                    p,p     | line 1: must have 64 columns, or 65 with a class, like all rows, but has 2; line 2: must hold at least one row
                    ROW,10  | line 1: the last column must be a class from 0 to 9 or its name, but was '10'
                    ROW;ROW,1 | line 2: must have 64 columns, or 65 with a class, like all rows, but has 65
                    ROW;"1,2 | line 2: a quoted cell must end on its line, before a comma
                    ROW;NAN | line 2: column 64 must be a finite number, but was 'NaN'
                    """)
    void brokenRowIsOneSentence(String rows, String sentence) throws Exception {
        String row = "1" + ",2.5e0".repeat(63);
        String text =
                rows.replace("ROW", row).replace("NAN", "1,".repeat(63) + "NaN").replace(';', '\n');
        Path file = Files.writeString(folder.resolve("rows.csv"), text + "\n");

        assertThat(run("predict", MODEL, file.toString())).isEqualTo(1);
        assertThat(err.toString()).isEqualTo("equipoise: %s, %s\n".formatted(file, sentence));
    }

    @Test
    void imagesOfAnotherSizeAreOneSentence() throws Exception {
        ByteBuffer image = ByteBuffer.allocate(16 + 4);
        image.putInt(0x0803).putInt(1).putInt(2).putInt(2);
        Path file = Files.write(folder.resolve("images"), image.array());

        assertThat(run("predict", MODEL, file.toString())).isEqualTo(1);
        assertThat(err.toString())
                .isEqualTo("equipoise: %s, byte 8: height must be 8, but was 2\n".formatted(file));
    }

    @Test
    void misuseIsOneSentenceAndStatusTwo() throws Exception {
        String samples = csv("", false).toString();

        assertMisuse(
                "--top must be from 1 to 100, but was 0", "predict", MODEL, samples, "--top=0");
        assertMisuse(
                "--top must be at most 10 for this model, but was 11",
                "predict",
                MODEL,
                samples,
                "--top=11");
        assertMisuse(
                "--labels belong to a FILE of IDX images, but none is given",
                "predict",
                MODEL,
                "--labels=" + samples);
        assertMisuse(
                "the model of data set brown takes no FILE: omit it for the test set",
                "predict",
                TestingModels.file("words").toString(),
                samples);
        assertMisuse("Missing required option: '--onnx=FILE'", "export", MODEL);
    }

    private void assertMisuse(String sentence, String... arguments) {
        err.getBuffer().setLength(0);
        assertThat(run(arguments)).isEqualTo(2);
        assertThat(err.toString())
                .isEqualTo(
                        "equipoise: %s\nequipoise %s --help lists the options\n"
                                .formatted(sentence, arguments[0]));
    }

    @Test
    void fileThatIsNoModelIsOneSentence() throws Exception {
        Path file = Files.writeString(folder.resolve("model"), "PK and what a ZIP archive has");

        assertThat(run("predict", file.toString())).isEqualTo(1);
        assertThat(err.toString())
                .startsWith("equipoise: " + file + ": the header of a model file must have 2 to")
                .hasLineCount(1);
        assertThat(run("predict", folder.resolve("none").toString())).isEqualTo(1);
        assertThat(err.toString()).endsWith("none: it does not exist\n");
    }

    @Test
    void exportWritesAFileThatOnnxRuntimeLoads() throws Exception {
        Path onnx = folder.resolve("model.onnx");

        assertThat(run("export", MODEL, "--onnx", onnx.toString())).isZero();

        try (OrtSession session =
                OrtEnvironment.getEnvironment().createSession(Files.readAllBytes(onnx))) {
            assertThat(session.getInputNames()).containsExactly("input");
            assertThat(session.getOutputNames()).containsExactly("scores");
        }
        assertThat(folder).isDirectoryNotContaining("glob:**.part");
        Path nowhere = folder.resolve("no/such/folder.onnx");
        assertThat(run("export", MODEL, "--onnx", nowhere.toString())).isEqualTo(1);
        assertThat(err.toString())
                .isEqualTo("equipoise: %s: its folder does not exist\n".formatted(nowhere));
    }

    @Test
    void exportLeavesTheModelAndFoldersAlone() throws Exception {
        Path model = Files.copy(Path.of(MODEL), folder.resolve("model.safetensors"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), model);

        assertThat(run("export", model.toString(), "--onnx", link.toString())).isEqualTo(1);
        assertThat(err.toString())
                .isEqualTo(
                        "equipoise: %s: is the model itself; write the export to another file\n"
                                .formatted(link));
        assertThat(model).hasSameBinaryContentAs(Path.of(MODEL));
        err.getBuffer().setLength(0);
        Path empty = Files.createDirectory(folder.resolve("empty"));
        assertThat(run("export", MODEL, "--onnx", empty.toString())).isEqualTo(1);
        assertThat(err.toString())
                .isEqualTo("equipoise: %s: must be a file, but is a folder\n".formatted(empty));
        assertThat(empty).isEmptyDirectory();
        assertThat(folder).isDirectoryNotContaining("glob:**.part");
    }

    @Test
    void failedExportLeavesNoFile() throws Exception {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.exists(full), "there is no device without room");
        Path onnx = folder.resolve("model.onnx");
        Files.createSymbolicLink(folder.resolve("model.onnx.part"), full);

        assertThat(run("export", MODEL, "--onnx", onnx.toString())).isEqualTo(1);

        assertThat(err.toString()).startsWith("equipoise: " + onnx + ": ").hasLineCount(1);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void failureWithoutAReasonIsASentence() {
        assertThat(CommandFailed.of(folder, new DirectoryNotEmptyException("x")))
                .hasMessage(
                        "%s: it cannot be read or written (DirectoryNotEmptyException)", folder);
        assertThat(CommandFailed.of(folder, new IOException()))
                .hasMessage("%s: it cannot be read or written (IOException)", folder);
    }

    /** Labels get their numbers from the names, so that other names are other labels. */
    @Test
    void testSetWithOtherClassesThanTheModelIsRefused() throws Exception {
        Path own = Files.createDirectory(folder.resolve("own"));
        Files.writeString(own.resolve("train.csv"), "1,rose\n2,tulip\n");
        Files.writeString(own.resolve("test.csv"), "3,tulip\n");
        var data = new OwnSpec.Csv("own", 1, 2, 2, new Normalization.Unit(), 2);
        var registry =
                new DatasetRegistry(
                        new DatasetSettings(
                                List.of(folder),
                                folder.resolve("cache"),
                                "npm",
                                "apt-get",
                                Duration.ofSeconds(1)));

        assertThat(PredictCommand.testSet(named(data, "rose", "tulip"), registry).areLabeled())
                .isTrue();
        assertThat(PredictCommand.testSet(named(data), registry).areLabeled()).isTrue();
        assertThatExceptionOfType(CommandFailed.class)
                .isThrownBy(() -> PredictCommand.testSet(named(data, "aster", "rose"), registry))
                .withMessage(
                        "the test set in own/test.csv (8 bytes) has the classes rose, tulip, but"
                                + " the model has aster, rose");
    }

    private static ModelDescription named(OwnSpec.Csv data, String... classNames) {
        ModelDescription plain =
                TestingModels.of(
                        new Architecture("perceptron", data.input(), List.of(new Layer.Dense(2))),
                        data);
        return new ModelDescription(
                plain.run(),
                plain.epoch(),
                plain.accuracy(),
                plain.definition(),
                plain.network(),
                plain.dataset(),
                plain.loss(),
                List.of(classNames));
    }

    @Test
    void helpNamesTheOptions() {
        assertThat(run("predict", "--help")).isZero();
        assertThat(out.toString()).contains("--labels=FILE", "--output=FORMAT", "--top=N");
    }

    @ParameterizedTest
    @CsvSource({"predict, --version", "export, -V"})
    void commandsTellTheirVersion(String command, String option) {
        assertThat(run(command, option)).isZero();
        assertThat(out.toString().strip())
                .isEqualTo("equipoise %s %s".formatted(command, SoftwareVersion.OWN));
    }

    @Test
    void distributedTargetCodeRanksOneClass() {
        assertThat(ClassRanking.most(TargetCode.of(new float[][] {{1, 0}, {1, 1}}))).isEqualTo(1);
        assertThat(ClassRanking.most(TargetCode.oneHot(3))).isEqualTo(3);
    }
}
