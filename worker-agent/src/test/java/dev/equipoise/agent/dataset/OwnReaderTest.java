package dev.equipoise.agent.dataset;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.equipoise.agent.service.AssignmentFailed;
import dev.equipoise.protocol.dataset.CsvHeader;
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
import org.junit.jupiter.params.provider.ValueSource;

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

    @Test
    void digestOfImagesCountsTheirValuesAndNotHowTheyArePacked() throws IOException {
        Path images = folder.resolve("train-images-idx3-ubyte");
        byte[] content = TestingIdx.raw("a-images");
        List<DatasetDigest.PartDigest> plain = digests();

        Files.delete(images);
        Files.write(folder.resolve("train-images-idx3-ubyte.gz"), TestingIdx.packed(content));
        List<DatasetDigest.PartDigest> packed = digests();
        content[content.length - 1]++;
        Files.write(images, content);

        assertThat(packed)
                .extracting(DatasetDigest.PartDigest::digest)
                .containsExactlyElementsOf(
                        plain.stream().map(DatasetDigest.PartDigest::digest).toList());
        assertThat(plain.getFirst().source()).isEqualTo("mine/train-images-idx3-ubyte (46 bytes)");
        assertThat(digests())
                .filteredOn(part -> !plain.contains(part))
                .extracting(DatasetDigest.PartDigest::name)
                .containsExactly("training inputs");
    }

    private List<DatasetDigest.PartDigest> digests() {
        return DatasetDigest.of(load(IDX)).parts();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "1,2; line 2: must have 3 columns, but has 2",
                "1,2,3,0; line 2: must have 3 columns, but has 4",
                "''; line 2: must not be blank, as other lines follow",
                "x,2,0; line 2: column 1 must be a finite number, but was 'x'",
                "1,,0; line 2: column 2 must be a finite number, but was ''",
                "1,NaN,0; line 2: column 2 must be a finite number, but was 'NaN'",
                "1,1e99,0; line 2: column 2 must be a finite number, but was '1e99'",
                "1,2f,0; line 2: column 2 must be a finite number, but was '2f'",
                "1,2,3; line 2: the last column must be a class from 0 to 2, but was '3'",
                "1,2,-1; line 2: the last column must be a class from 0 to 2, but was '-1'",
                "1,2,1.0; line 2: the last column must be a class from 0 to 2, but was '1.0'",
                "1,2,rose; line 2: the last column must be a class from 0 to 2, but was 'rose'",
                "1,\"2,0; line 2: a quoted cell must end on its line, before a comma"
            })
    void namesTheInvalidLine(String line, String message) throws IOException {
        write("train.csv", "1,2,0\n" + line + "\n1,2,0\n");

        assertInvalid(CSV, folder.resolve("train.csv") + ", " + message);
    }

    @Test
    void errorsOfAllLinesOfBothFilesAreTold() throws IOException {
        write("train.csv", "1,2,0\n1,x,0\n1,2\n1,2,7\n");
        write("test.csv", "1,2,0\n,2,0\n");

        assertThatExceptionOfType(DatasetInvalid.class)
                .isThrownBy(() -> load(CSV))
                .withMessage(
                        folder.resolve("train.csv")
                                + ", line 2: column 2 must be a finite number, but was 'x'; line 3:"
                                + " must have 3 columns, but has 2; line 4: the last column must be"
                                + " a class from 0 to 2, but was '7'; "
                                + folder.resolve("test.csv")
                                + ", line 2: column 1 must be a finite number, but was ''");
    }

    @Test
    void firstHundredErrorsAreToldAndTheNumberOfAll() throws IOException {
        write("train.csv", "1,2,0\n" + "1,2\n".repeat(LineErrors.MAX_TOLD + 7));

        assertThatExceptionOfType(DatasetInvalid.class)
                .isThrownBy(() -> load(CSV))
                .withMessageStartingWith("107 errors; the first are: " + folder)
                .withMessageEndingWith("line 101: must have 3 columns, but has 2");
    }

    /** A failure of a run has a limit, which must not cut what matters. */
    @Test
    void longErrorsAreToldAsFarAsTheFailureOfARunHasRoom() throws IOException {
        String cell = "x".repeat(50);
        write("train.csv", "1,2,0\n" + "1,%s,0\n".formatted(cell).repeat(152));

        assertThatExceptionOfType(DatasetInvalid.class)
                .isThrownBy(() -> load(CSV))
                .satisfies(failure -> {
                    String told = String.valueOf(failure.getMessage());
                    String message =
                            AssignmentFailed.byUser("dataset-invalid", told, failure)
                                    .toEvent()
                                    .message();
                    assertThat(message)
                            .isEqualTo(told)
                            .startsWith("152 errors; the first are: ")
                            .endsWith(
                                    "column 2 must be a finite number, but was '%s'"
                                            .formatted("x".repeat(40)));
                });
    }

    @Test
    void rejectsAFileWithoutRows() throws IOException {
        write("test.csv", "");
        assertInvalid(CSV, folder.resolve("test.csv") + ", line 1: must hold at least one row");

        write("test.csv", "\ufeff");
        assertInvalid(CSV, folder.resolve("test.csv") + ", line 2: must hold at least one row");

        write("test.csv", "width,height,class\n");
        assertInvalid(CSV, folder.resolve("test.csv") + ", line 2: must hold at least one row");
    }

    @Test
    void rejectsWhatIsNoUtf8() throws IOException {
        Files.write(folder.resolve("train.csv"), new byte[] {'1', ',', '2', ',', (byte) 0xe9});

        assertInvalid(CSV, folder.resolve("train.csv") + ": must be text in UTF-8");
    }

    @Test
    void acceptsAByteOrderMarkCarriageReturnsQuotesAndBlankLinesAtTheEnd() throws IOException {
        write("train.csv", "\ufeff1.5,-2,0\r\n\"3e1\", \"4\" ,\"2\"\r\n\r\n \r\n");

        var rows = TestingDatasets.read(load(CSV).training(), 0, 1);

        assertThat(rows.values().toArray(JAVA_FLOAT)).containsExactly(1.5f, -2, 30, 4);
        assertThat(rows.labels()).containsExactly(0, 2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"width,height,class", "\"width, cm\",height,", ",height,class", "a,b,label"})
    void headerWithoutANumberIsFound(String header) throws IOException {
        write("train.csv", header + "\n1.5,-2,0\n3e1, 4 ,2\n");

        var rows = TestingDatasets.read(load(CSV).training(), 0, 1);

        assertThat(rows.values().toArray(JAVA_FLOAT)).containsExactly(1.5f, -2, 30, 4);
        assertThat(load(CSV).training().size()).isEqualTo(2);
    }

    /** Samples with missing values are no header. */
    @ParameterizedTest
    @ValueSource(strings = {",,rose", "NaN,NaN,rose", "?,NA,rose", "1,NA,rose", "null,None,rose"})
    void lineOfMissingValuesIsNoHeader(String line) throws IOException {
        write("train.csv", line + "\n1,2,rose\n");

        assertThatExceptionOfType(DatasetInvalid.class)
                .isThrownBy(() -> load(CSV))
                .withMessageContaining("line 1: column ")
                .withMessageNotContaining("header");
    }

    @Test
    void errorsInTheFirstLineHintAtAHeader() throws IOException {
        write("train.csv", "width,2,class\n1,2,0\n3,4,1\n");

        assertInvalid(
                CSV,
                folder.resolve("train.csv")
                        + ", line 1: column 1 must be a finite number, but was 'width' (this line"
                        + " looks like a header: set header: true)");
        write("test.csv", "width,2,class\n5,6,1\n");
        assertThat(load(with(CsvHeader.PRESENT)).training().size()).isEqualTo(2);
    }

    @Test
    void headerCanBeRuledOut() throws IOException {
        write("train.csv", "width,height,class\n1,2,0\n3,4,1\n");

        assertInvalid(
                with(CsvHeader.ABSENT),
                folder.resolve("train.csv")
                        + ", line 1: column 1 must be a finite number, but was 'width'");
    }

    @Test
    void headerOfNumbersCanBeDemanded() throws IOException {
        write("train.csv", "0,1,2\n1,2,0\n3,4,1\n");
        write("test.csv", "0,1,2\n5,6,1\n");

        DatasetSplit split = load(with(CsvHeader.PRESENT));

        assertThat(split.training().size()).isEqualTo(2);
        assertThat(split.test().size()).isOne();
    }

    @Test
    void headersOfBothFilesNameTheSameColumns() throws IOException {
        write("train.csv", "width,height,class\n1,2,0\n3,4,1\n");
        write("test.csv", "height,width,class\n1,2,0\n");

        assertInvalid(
                CSV,
                folder.resolve("test.csv")
                        + ", line 1: column 1 must be 'width', as in the training file, but was"
                        + " 'height'");
    }

    @Test
    void rejectsAHeaderWithOtherColumns() throws IOException {
        write("train.csv", "width,class\n1,2,0\n3,4,1\n");

        assertInvalid(
                CSV, folder.resolve("train.csv") + ", line 1: must have 3 columns, but has 2");
    }

    @Test
    void otherSeparatorsAreNamed() throws IOException {
        write("train.csv", "1;2;0\n");

        assertInvalid(
                CSV,
                folder.resolve("train.csv")
                        + ", line 1: must have 3 columns, but has 1 (commas must separate the"
                        + " columns, not semicolons or tabs)");
    }

    /** A class that only the test file has counts, too. */
    @Test
    void classNamesAreNumberedInSortedOrderOverBothFiles() throws IOException {
        write("train.csv", "1,2,versicolor\n3,4,\"setosa, wild\"\n");
        write("test.csv", "5,6,Iris\n7,8,versicolor\n");

        DatasetSplit split = load(CSV);

        assertThat(split.classNames()).containsExactly("Iris", "setosa, wild", "versicolor");
        assertThat(TestingDatasets.read(split.training(), 0, 1).labels()).containsExactly(2, 1);
        assertThat(TestingDatasets.read(split.test(), 0, 1).labels()).containsExactly(0, 2);
        assertThat(split.limit(1).classNames()).isEqualTo(split.classNames());
    }

    @Test
    void numberedClassesHaveNoNames() {
        assertThat(load(CSV).classNames()).isEmpty();
        assertThat(load(IDX).classNames()).isEmpty();
    }

    @Test
    void rejectsMoreOrFewerClassNamesThanDefined() throws IOException {
        write("train.csv", "1,2,a\n3,4,b\n");
        write("test.csv", "1,2,a\n");
        assertInvalid(
                CSV,
                "the label columns in mine must have 3 class names, as the definition has classes,"
                        + " but have 2: a, b");

        write("test.csv", "1,2,c\n1,2,d\n");
        assertInvalid(
                CSV,
                "the label columns in mine must have 3 class names, as the definition has classes,"
                        + " but have 4: a, b, c, d");
    }

    @Test
    void rejectsMissingAndTooLongClassNames() throws IOException {
        write("train.csv", "1,2,a\n3,4,\n5,6," + "x".repeat(Csv.MAX_CLASS_NAME + 1) + "\n");

        assertThatExceptionOfType(DatasetInvalid.class)
                .isThrownBy(() -> load(CSV))
                .withMessageContaining("line 2: the last column must be a class name")
                .withMessageContaining("line 3: the last column must be a class name");
    }

    @Test
    void rejectsMoreClassNamesThanAllowed() throws IOException {
        var lines = new StringBuilder();
        for (int i = 0; i <= Csv.MAX_CLASS_NAMES; i++) {
            lines.append("1,2,name-").append(i).append('\n');
        }
        write("train.csv", lines.toString());

        assertInvalid(
                new Csv("mine", 2, Csv.MAX_CLASS_NAMES + 1, 2, UNIT, 2),
                folder.resolve("train.csv")
                        + ", line 10001: the last column must be a class name, one of at most"
                        + " 10000,");
    }

    @Test
    void listsTheFoldersThatDefinitionsCanName() throws IOException {
        Files.createDirectories(place.resolve("empty"));
        Path hidden = Files.createDirectories(place.resolve(".hidden"));
        Files.writeString(hidden.resolve("train.csv"), "1,2,0\n");
        Path packed = Files.createDirectories(place.resolve("cache").resolve("a.b"));
        Files.write(packed.resolve("train-images-idx3-ubyte.gz"), new byte[0]);
        Files.writeString(place.resolve("train.csv"), "1,2,0\n");

        assertThat(registry().folders()).containsExactly("a.b", "mine");
    }

    @Test
    void missingFolderIsTheFaultOfTheUserAndTheOthersAreNamed() {
        assertThatExceptionOfType(DatasetUnavailable.class)
                .isThrownBy(() -> load(new Csv("other", 2, 3, 2, UNIT, 2)))
                .withMessageContaining(place.resolve("other") + ": no such folder")
                .withMessageContaining("it has mine")
                .matches(DatasetUnavailable::isOwn);
    }

    private static Csv with(CsvHeader header) {
        return new Csv("mine", 2, 3, 2, UNIT, 2, header);
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

    private void assertInvalid(DatasetSpec spec, String message) {
        assertThatExceptionOfType(DatasetInvalid.class)
                .isThrownBy(() -> load(spec))
                .withMessageStartingWith(message);
    }

    private DatasetSplit load(DatasetSpec spec) {
        return registry().load(spec, spec.limit());
    }

    private DatasetRegistry registry() {
        return new DatasetRegistry(
                new DatasetSettings(
                        List.of(place),
                        place.resolve("cache"),
                        "npm",
                        "apt-get",
                        Duration.ofSeconds(1)));
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), text);
    }
}
