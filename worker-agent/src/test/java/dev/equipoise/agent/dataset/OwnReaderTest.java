package dev.equipoise.agent.dataset;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.equipoise.protocol.dataset.DatasetSpec;
import dev.equipoise.protocol.dataset.Normalization;
import dev.equipoise.protocol.dataset.OwnSpec.Csv;
import dev.equipoise.protocol.dataset.OwnSpec.Idx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OwnReaderTest {
    private static final Normalization UNIT = new Normalization.Unit();
    private static final Csv CSV = new Csv("mine", 2, 3, 2, UNIT, 2);
    private static final Idx IDX = new Idx("mine", 2, 3, 4, 5, UNIT, 5);

    @TempDir private Path place;
    private Path folder;

    @BeforeEach
    void make() throws IOException {
        folder = Files.createDirectories(place.resolve("mine"));
        write("train.csv", "1.5,-2,0\n3e1, 4 ,2\n");
        write("test.csv", "0,0,1\n");
        List<String> names =
                List.of(
                        "train-images-idx3-ubyte",
                        "train-labels-idx1-ubyte",
                        "t10k-images-idx3-ubyte",
                        "t10k-labels-idx1-ubyte.gz");
        Files.write(folder.resolve(names.get(0)), TestingIdx.raw("a-images"));
        Files.write(folder.resolve(names.get(1)), TestingIdx.raw("a-labels"));
        Files.write(folder.resolve(names.get(2)), TestingIdx.raw("b-images"));
        Files.write(folder.resolve(names.get(3)), TestingIdx.packed("b-labels"));
    }

    @Test
    void readsRowsUnchanged() {
        DatasetSplit split = load(CSV);
        var rows = TestingDatasets.read(split.training(), 1, 0);

        assertThat(rows.values().toArray(JAVA_FLOAT)).containsExactly(30, 4, 1.5f, -2);
        assertThat(rows.labels()).containsExactly(2, 0);
        assertThat(split.test().size()).isOne();
        assertThat(split.training().classes()).isEqualTo(3);
    }

    @Test
    void standardizesEachColumn() {
        var standard = new Normalization.Standardize(List.of(1.0, 2.0), List.of(0.5, 4.0));
        DatasetSplit split = load(new Csv("mine", 2, 3, 2, standard, 2));

        assertThat(TestingDatasets.read(split.training(), 0).values().toArray(JAVA_FLOAT))
                .containsExactly(1, -1);
    }

    @Test
    void readsImagesPackedOrNot() {
        DatasetSplit split = load(IDX);

        assertThat(split.training().size()).isEqualTo(5);
        assertThat(split.test().size()).isEqualTo(3);
        assertThat(TestingDatasets.read(split.training(), 1).values().toArray(JAVA_FLOAT))
                .startsWith(10 / 255f, 11 / 255f);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "1,2; line 2: must have 3 columns, but has 2",
                "1,2,3,0; line 2: must have 3 columns, but has 4",
                "''; line 2: must have 3 columns, but has 1",
                "x,2,0; line 2: column 1 must be a finite number, but was 'x'",
                "1,,0; line 2: column 2 must be a finite number, but was ''",
                "1,NaN,0; line 2: column 2 must be a finite number, but was 'NaN'",
                "1,1e99,0; line 2: column 2 must be a finite number, but was '1e99'",
                "1,2f,0; line 2: column 2 must be a finite number, but was '2f'",
                "1,2,3; line 2: the last column must be a class from 0 to 2, but was '3'",
                "1,2,-1; line 2: the last column must be a class from 0 to 2, but was '-1'",
                "1,2,1.0; line 2: the last column must be a class from 0 to 2, but was '1.0'"
            })
    void namesTheInvalidLine(String line, String message) throws IOException {
        write("train.csv", "1,2,0\n" + line + "\n1,2,0\n");

        assertInvalid(CSV, folder.resolve("train.csv") + ", " + message);
    }

    @Test
    void rejectsAFileWithoutRows() throws IOException {
        write("test.csv", "");

        assertInvalid(CSV, folder.resolve("test.csv") + ", line 1: must hold at least one row");
    }

    @Test
    void rejectsFewerSamplesThanDefined() {
        assertInvalid(
                new Csv("mine", 2, 3, 3, UNIT, 1),
                folder.resolve("train.csv")
                        + ": must hold the 3 samples of the definition, but holds 2");
        assertInvalid(
                new Idx("mine", 2, 3, 4, 6, UNIT, 1),
                folder.resolve("train-images-idx3-ubyte")
                        + ": must hold the 6 samples of the definition, but holds 5");
    }

    @Test
    void rejectsImagesOfAnotherShape() {
        assertInvalid(
                new Idx("mine", 3, 3, 4, 5, UNIT, 5),
                folder.resolve("train-images-idx3-ubyte")
                        + ", byte 8: height must be 3, but was 2");
    }

    @Test
    void rejectsLabelsOutOfRange() {
        assertInvalid(
                new Idx("mine", 2, 3, 3, 5, UNIT, 5),
                folder.resolve("train-labels-idx1-ubyte")
                        + ", byte 11: label must be below 3, but was 3");
    }

    @Test
    void rejectsFilesThatAreTooShortOrTooLong() throws IOException {
        Path images = folder.resolve("train-images-idx3-ubyte");

        Files.write(images, Arrays.copyOf(TestingIdx.raw("a-images"), 45));
        assertInvalid(IDX, images + ", byte 45: header announces 30 values, but 29 follow");
        Files.write(images, Arrays.copyOf(TestingIdx.raw("a-images"), 47));
        assertInvalid(IDX, images + ", byte 46: header announces 30 values, but 31 follow");
    }

    @Test
    void rejectsAnIncompleteGzipFile() throws IOException {
        Path labels = folder.resolve("t10k-labels-idx1-ubyte.gz");

        Files.write(labels, Arrays.copyOf(TestingIdx.packed("b-labels"), 15));
        assertInvalid(IDX, labels + ": is not a complete gzip file");
        Files.write(labels, new byte[20]);
        assertInvalid(IDX, labels + ": is not a complete gzip file");
    }

    @Test
    void namesTheFoldersSearched() {
        assertThatExceptionOfType(DatasetUnavailable.class)
                .isThrownBy(() -> load(new Csv("other", 2, 3, 2, UNIT, 2)))
                .withMessageContaining(place.resolve("other") + ": no such folder");
    }

    private void assertInvalid(DatasetSpec spec, String message) {
        assertThatExceptionOfType(DatasetInvalid.class)
                .isThrownBy(() -> load(spec))
                .withMessageStartingWith(message);
    }

    private DatasetSplit load(DatasetSpec spec) {
        return new DatasetRegistry(
                        new DatasetSettings(
                                List.of(place),
                                place.resolve("cache"),
                                "npm",
                                "apt-get",
                                Duration.ofSeconds(1)))
                .load(spec, spec.limit());
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), text);
    }
}
