package dev.equipoise.agent.dataset;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.protocol.dataset.Augmentation;
import dev.equipoise.protocol.dataset.Normalization;
import dev.equipoise.protocol.dataset.OwnSpec.Csv;
import dev.equipoise.protocol.network.Shape.Image;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DatasetDigestTest {

    private static final Image SHAPE = new Image(1, 2, 1);
    private static final Normalization UNIT = new Normalization.Unit();
    private static final byte[] PIXELS = {0, 1, 2, 3, 4, 5};
    private static final byte[] LABELS = {0, 1, 1};
    private static final List<String> WORKERS = List.of("north", "south", "east");

    @TempDir private Path place;

    private static Dataset images(byte[] pixels, byte[] labels, Normalization normalization) {
        return ByteImages.of(SHAPE, 2, pixels, labels, 255, normalization);
    }

    private static final DatasetSplit SPLIT = split(images(PIXELS, LABELS, UNIT));

    private static DatasetSplit split(Dataset training) {
        return DatasetSplit.of(training, images(PIXELS, LABELS, UNIT));
    }

    /** Returns the names of the parts that differ. */
    private static List<String> differing(DatasetSplit one, DatasetSplit other) {
        List<DatasetDigest.PartDigest> parts = DatasetDigest.of(one).parts();
        List<DatasetDigest.PartDigest> others = DatasetDigest.of(other).parts();
        return IntStream.range(0, parts.size())
                .filter(i -> !parts.get(i).digest().equals(others.get(i).digest()))
                .mapToObj(i -> parts.get(i).name())
                .toList();
    }

    @Test
    void equalDataHaveEqualDigests() {
        assertThat(differing(SPLIT, split(images(PIXELS.clone(), LABELS.clone(), UNIT)))).isEmpty();
    }

    @Test
    void contentOrderAndNormalizationCount() {
        byte[] otherPixel = {0, 1, 2, 3, 4, 6};
        byte[] otherOrder = {2, 3, 0, 1, 4, 5};
        var standard = new Normalization.Standardize(List.of(0.5), List.of(0.25));

        assertThat(differing(SPLIT, split(images(otherPixel, LABELS, UNIT))))
                .containsExactly("training inputs");
        assertThat(differing(SPLIT, split(images(otherOrder, LABELS, UNIT))))
                .containsExactly("training inputs");
        assertThat(differing(SPLIT, split(images(PIXELS, LABELS, standard))))
                .containsExactly("training inputs");
        assertThat(differing(SPLIT, split(images(PIXELS, new byte[] {1, 0, 1}, UNIT))))
                .containsExactly("training labels");
    }

    @Test
    void splitAndAugmentationCount() {
        Augmentation flipped =
                new Augmentation(new Augmentation.Crop(0), Augmentation.Flip.HORIZONTAL);

        assertThat(differing(SPLIT, SPLIT.limit(2)))
                .containsExactly("training inputs", "training labels");
        assertThat(differing(SPLIT, SPLIT.augmented(flipped, 1)))
                .containsExactly("training inputs");
        assertThat(differing(SPLIT.augmented(flipped, 1), SPLIT.augmented(flipped, 2)))
                .containsExactly("training inputs");
        assertThat(differing(SPLIT, SPLIT.named(List.of("a", "b")))).containsExactly("class names");
        assertThat(differing(SPLIT.named(List.of("a", "b")), SPLIT.named(List.of("ab"))))
                .containsExactly("class names");
    }

    /** Files may differ behind the samples that a run reads. */
    @Test
    void samplesBeyondTheLimitDoNotCount() {
        byte[] longer = {0, 1, 2, 3, 9, 9};

        assertThat(
                        differing(
                                SPLIT.limit(2),
                                split(images(longer, new byte[] {0, 1, 0}, UNIT)).limit(2)))
                .isEmpty();
    }

    @Test
    void wordsAndTheirNumberCount() {
        var text = new TokenizedText(new int[] {1, 2, 3, 4, 1, 5, 1}, 6);
        var other = new TokenizedText(new int[] {1, 2, 3, 4, 1, 5, 2}, 6);
        DatasetSplit sequences = words(new WordSequences(text, 3));
        DatasetSplit windows = words(new WordWindows(text, 3));

        assertThat(differing(sequences, words(new WordSequences(other, 3))))
                .containsExactly("training inputs");
        assertThat(differing(windows, words(new WordWindows(other, 3))))
                .containsExactly("training inputs");
        assertThat(differing(windows, words(new WordWindows(text, 2))))
                .containsExactly("training inputs");
        assertThat(differing(windows.limit(2), words(new WordWindows(other, 3)).limit(2)))
                .isEmpty();
    }

    private static DatasetSplit words(Dataset training) {
        return DatasetSplit.of(
                training, new WordSequences(new TokenizedText(new int[] {1, 2, 3, 1}, 6), 3));
    }

    /** Rows as vectors are longer than a chunk of the digest. */
    @Test
    void everyChunkCounts() {
        int length = 40_000;
        float[] values = new float[2 * length];
        float[] others = values.clone();
        others[2 * length - 1] = 1;
        var shape = new Image(200, 200, 1);
        Dataset one = FloatRows.of(shape, 2, values, new int[2]);
        Dataset other = FloatRows.of(shape, 2, others, new int[2]);

        assertThat(differing(DatasetSplit.of(one, one), DatasetSplit.of(one, other)))
                .containsExactly("test inputs");
    }

    /** Values count, and not how the file writes them. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "1,2,0\r\n3,4,1\r\n",
                "\ufeff1,2,0\n3,4,1\n\n",
                "x,y,class\n1.0,2,\"0\"\n3,4e0,1\n"
            })
    void formOfACsvFileDoesNotCount(String text) throws IOException {
        DatasetSplit plain = csv("plain", "1,2,0\n3,4,1\n");

        assertThat(differing(plain, csv("other", text))).isEmpty();
        assertThat(plain.files().trainingInputs()).isEqualTo("plain/train.csv (12 bytes)");
    }

    private DatasetSplit csv(String name, String training) throws IOException {
        Path folder = Files.createDirectories(place.resolve(name));
        Files.writeString(folder.resolve("train.csv"), training);
        Files.writeString(folder.resolve("test.csv"), "5,6,1\n");
        return new DatasetRegistry(
                        new DatasetSettings(
                                List.of(place), place, "npm", "apt-get", Duration.ofSeconds(1)))
                .load(new Csv(name, 2, 2, 2, UNIT, 2), 2);
    }

    @Test
    void encodedDigestsAreDecoded() {
        DatasetDigest digest = DatasetDigest.of(SPLIT.from(DatasetFiles.of("a/b.csv (3 bytes)")));

        assertThat(digest.encode()).hasSizeLessThan(DatasetDigest.MAX_BYTES);
        assertThat(DatasetDigest.decode(digest.encode())).contains(digest);
        assertThat(DatasetDigest.decode("nonsense".getBytes(UTF_8))).isEmpty();
        assertThat(DatasetDigest.decode(new byte[0])).isEmpty();
    }

    @Test
    void differenceNamesPartsFilesDigestsRanksAndWorkers() {
        DatasetDigest one = digest("mine/train.csv (34 bytes)", "aa");
        DatasetDigest other = digest("mine/train.csv (36 bytes)", "bb");

        assertThat(DatasetDigest.difference(List.of(one, one, one), WORKERS)).isEmpty();
        assertThat(DatasetDigest.difference(List.of(one, other, one), WORKERS))
                .contains(
                        "training inputs: mine/train.csv (34 bytes) with digest aa on rank 0"
                                + " (north), rank 2 (east), mine/train.csv (36 bytes) with digest"
                                + " bb on rank 1 (south)");
    }

    @Test
    void longListsOfRanksAreCut() {
        List<DatasetDigest> digests =
                IntStream.range(0, 20)
                        .mapToObj(rank -> digest("mine", rank == 0 ? "aa" : "bb"))
                        .toList();

        assertThat(DatasetDigest.difference(digests, Collections.nCopies(20, "north")))
                .hasValueSatisfying(
                        it -> assertThat(it).endsWith("rank 8 (north) and 11 more ranks"));
    }

    private static DatasetDigest digest(String source, String digest) {
        return new DatasetDigest(
                List.of(
                        new DatasetDigest.PartDigest("training inputs", source, digest),
                        new DatasetDigest.PartDigest("test inputs", "mine/test.csv", "cc")));
    }
}
