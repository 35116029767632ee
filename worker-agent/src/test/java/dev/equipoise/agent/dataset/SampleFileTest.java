package dev.equipoise.agent.dataset;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.equipoise.agent.dataset.SampleFile.FileSamples;
import dev.equipoise.agent.network.Minibatch;
import dev.equipoise.protocol.dataset.CsvHeader;
import dev.equipoise.protocol.dataset.Normalization.Standardize;
import dev.equipoise.protocol.dataset.NumericSpec;
import dev.equipoise.protocol.dataset.OwnSpec;
import dev.equipoise.protocol.dataset.PublishedSpec;
import dev.equipoise.protocol.network.Shape;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SampleFileTest {

    private static final NumericSpec CIFAR =
            new PublishedSpec.Cifar10(
                    new Standardize(List.of(0.0, 0.2, 0.4), List.of(1.0, 0.5, 0.25)), 100);
    private static final NumericSpec ROWS =
            new OwnSpec.Csv("own", 2, 3, 100, new Standardize(List.of(10.0), List.of(2.0)), 100);

    @TempDir private Path folder;

    /** Returns the values and labels of all samples. */
    private static String content(FileSamples samples) {
        Dataset dataset = samples.dataset();
        int size = dataset.size();
        try (Arena memory = Arena.ofConfined()) {
            var minibatch = new Minibatch(dataset.shape(), 1, size, memory);
            int[] order = new int[size];
            Arrays.setAll(order, i -> i);
            dataset.read(order, 0, size, minibatch);
            return Arrays.toString(minibatch.values().toArray(JAVA_FLOAT))
                    + Arrays.toString(minibatch.labels());
        }
    }

    @Test
    void recordsOfCifarAreNormalizedByChannel() throws Exception {
        byte[] records = new byte[2 * 3073];
        records[0] = 7;
        Arrays.fill(records, 1, 3073, (byte) 255);
        records[3073] = 2;
        Path file = Files.write(folder.resolve("test_batch.bin"), records);

        FileSamples samples = new SampleFile(CIFAR, CIFAR.input(), List.of()).read(file, null);

        assertThat(samples.areLabeled()).isTrue();
        assertThat(content(samples))
                .startsWith("[1.0, 1.6, 2.4, 1.0, 1.6, 2.4, ")
                .endsWith(", 0.0, -0.4, -1.6][7, 2]");
    }

    @Test
    void rowsAreNormalizedAndNamedClassesAreLabels() throws Exception {
        Path file = Files.writeString(folder.resolve("a.csv"), "x,y,kind\n12,10,c\n8,-1e1,a\n");

        var reader = new SampleFile(ROWS, ROWS.input(), List.of("a", "b", "c"));

        assertThat(content(reader.read(file, null))).isEqualTo("[1.0, 0.0, -1.0, -10.0][2, 0]");
    }

    /** As spreadsheets write it: a byte order mark, carriage returns, quotes, a blank end. */
    @Test
    void filesOfSpreadsheetsAreRead() throws Exception {
        String text = "\ufeff\"x\",\"y\"\r\n\"12\",10\r\n\r\n";
        Path file = Files.writeString(folder.resolve("a.csv"), text);

        var reader = new SampleFile(ROWS, ROWS.input(), List.of());

        assertThat(content(reader.read(file, null))).isEqualTo("[1.0, 0.0][0]");
        Files.writeString(file, "1,2\n\n\n3,4\n");
        assertInvalid(reader, file, null, "line 2: must not be blank, as other lines follow");
    }

    /** The file of a prediction follows the rule of the training files. */
    @Test
    void headerOfTheTrainingFilesCountsForRows() throws Exception {
        Path file = Files.writeString(folder.resolve("a.csv"), "0,1,2\n12,10,1\n");

        assertThat(content(withHeader(CsvHeader.PRESENT).read(file, null)))
                .isEqualTo("[1.0, 0.0][1]");
        assertThat(content(withHeader(CsvHeader.ABSENT).read(file, null)))
                .isEqualTo("[-5.0, -4.5, 1.0, 0.0][2, 1]");
        Files.writeString(file, "x,y,2\n12,10,1\n");
        assertInvalid(
                withHeader(CsvHeader.ABSENT),
                file,
                null,
                "line 1: column 1 must be a finite number, but was 'x'");
    }

    private static SampleFile withHeader(CsvHeader header) {
        var normalization = new Standardize(List.of(10.0), List.of(2.0));
        NumericSpec spec = new OwnSpec.Csv("own", 2, 3, 100, normalization, 100, header);
        return new SampleFile(spec, spec.input(), List.of());
    }

    @ParameterizedTest
    @ValueSource(strings = {"NaN,?", ",", "?,NA"})
    void rowOfMissingValuesWithoutALabelIsNoHeader(String row) throws Exception {
        Path file = Files.writeString(folder.resolve("a.csv"), row + "\n12,10\n");

        assertInvalid(
                new SampleFile(ROWS, ROWS.input(), List.of()),
                file,
                null,
                "line 1: column 1 must be a finite number, but was ");
    }

    @Test
    void headerOfRowsWithoutLabelsIsFound() throws Exception {
        Path file = Files.writeString(folder.resolve("a.csv"), "x,y\n12,10\n8,10\n");

        FileSamples samples = new SampleFile(ROWS, ROWS.input(), List.of()).read(file, null);

        assertThat(samples.areLabeled()).isFalse();
        assertThat(content(samples)).isEqualTo("[1.0, 0.0, -1.0, 0.0][0, 0]");
    }

    @Test
    void rowsThatAreNoUtf8AreRefused() throws Exception {
        Path file =
                Files.write(folder.resolve("a.csv"), new byte[] {'1', ',', '2', ',', (byte) 0xe9});

        assertInvalid(
                new SampleFile(ROWS, ROWS.input(), List.of("a")),
                file,
                null,
                "must be text in UTF-8");
    }

    /** A row of an image has the channels of a pixel side by side. */
    @Test
    void rowsOfImagesAreNormalizedByChannel() throws Exception {
        Path file = Files.writeString(folder.resolve("a.csv"), "255,51,102,0,255,255\n");

        var reader = new SampleFile(CIFAR, new Shape.Image(1, 2, 3), List.of());

        assertThat(content(reader.read(file, null))).isEqualTo("[1.0, 0.0, 0.0, 0.0, 1.6, 2.4][0]");
        assertThat(reader.read(file, null).areLabeled()).isFalse();
    }

    @Test
    void filesThatDoNotFitTheModelAreRefusedInWords() throws Exception {
        var rows = new SampleFile(ROWS, ROWS.input(), List.of());
        Path records = Files.write(folder.resolve("a.bin"), new byte[3073]);
        Path csv = Files.writeString(folder.resolve("a.csv"), "1,2\n");
        Path idx = Files.write(folder.resolve("images"), new byte[] {0, 0, 8, 3, 0, 0, 0, 1});

        assertInvalid(rows, records, null, "records of CIFAR do not fit a model of data set csv");
        assertInvalid(rows, csv, csv, "labels of their own go with IDX images");
        assertInvalid(rows, idx, null, "the model takes a vector of 2, but an IDX file has gray");
        assertInvalid(rows, folder, null, "must be a file, but is a folder");
        assertThatExceptionOfType(DatasetUnavailable.class)
                .isThrownBy(() -> rows.read(folder.resolve("none.csv"), null));
    }

    private static void assertInvalid(
            SampleFile reader, Path file, @Nullable Path labels, String sentence) {
        assertThatExceptionOfType(DatasetInvalid.class)
                .isThrownBy(() -> reader.read(file, labels))
                .withMessageContaining(sentence);
    }
}
