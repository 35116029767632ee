package dev.equipoise.agent.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatasetRegistryTest {
    @TempDir private Path home;

    @Test
    void readsPackedFilesFromAPlace() throws IOException {
        TestingIdx.writePacked(home.resolve("place/tiny"));

        DatasetSplit split = registry(home.resolve("other"), home.resolve("place")).load("tiny");

        assertThat(split.training().size()).isEqualTo(TestingIdx.TRAINING);
        assertThat(split.test().size()).isEqualTo(TestingIdx.TEST);
        assertThat(split.training().label(3)).isEqualTo(3);
        assertThat(split.training().shape()).isEqualTo(TestingIdx.SHAPE);
        assertThat(split.training().classes()).isEqualTo(4);
        assertThat(home.resolve("cache")).doesNotExist();
    }

    @Test
    void readsRawFilesFromTheCache() throws IOException {
        TestingIdx.writeRaw(home.resolve("cache/tiny"));

        assertThat(registry().load("tiny").training().size()).isEqualTo(TestingIdx.TRAINING);
    }

    @Test
    void refusesAWrongFileInAPlaceAndLeavesItThere() throws IOException {
        TestingIdx.writePacked(home.resolve("place/tiny"));
        TestingIdx.writePacked(home.resolve("cache/tiny"));
        Path damaged = home.resolve("place/tiny/b-labels.gz");
        byte[] content = Files.readAllBytes(damaged);
        content[content.length - 1] ^= 1;
        Files.write(damaged, content);

        assertThatExceptionOfType(DatasetCorrupt.class)
                .isThrownBy(() -> registry(home.resolve("place")).load("tiny"))
                .withMessage(
                        "%s: checksum must be %s, but was %s"
                                .formatted(
                                        damaged,
                                        Checksum.MD5.of(TestingIdx.packed("b-labels")),
                                        Checksum.MD5.of(content)));
        assertThat(damaged).hasBinaryContent(content);
    }

    @Test
    void refusesATruncatedFile() throws IOException {
        TestingIdx.writeRaw(home.resolve("cache/tiny"));
        Path truncated = home.resolve("cache/tiny/a-images");
        Files.write(truncated, Arrays.copyOf(TestingIdx.raw("a-images"), 20));

        assertThatExceptionOfType(DatasetCorrupt.class)
                .isThrownBy(() -> registry().load("tiny"))
                .withMessageContaining(truncated.toString());
    }

    @Test
    void namesEveryPlaceThatLacksTheData() throws IOException {
        TestingIdx.writePacked(home.resolve("half/tiny"));
        Files.delete(home.resolve("half/tiny/a-labels.gz"));

        assertThatExceptionOfType(DatasetUnavailable.class)
                .isThrownBy(() -> registry(home.resolve("none"), home.resolve("half")).load("tiny"))
                .withMessageContaining(home.resolve("none/tiny") + ": no such folder")
                .withMessageContaining(home.resolve("half/tiny/a-labels") + "[.gz]: no such file")
                .withMessageContaining(home.resolve("cache/tiny") + ": no such folder");
    }

    @Test
    void namesTheFileThatCannotBeRead() {
        Path file = home.resolve("a-images.gz");

        assertThatExceptionOfType(DatasetUnavailable.class)
                .isThrownBy(() -> new LocalCopy(TestingIdx.publication(), home).read())
                .withMessageStartingWith("data set tiny: cannot read " + file + ": ")
                .withCauseInstanceOf(IOException.class);
    }

    @Test
    void namesTheDataSetsThereAre() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> registry().load("imagenet"))
                .withMessage("data set must be one of [tiny], but was imagenet");
    }

    @Test
    void takesItsSettingsFromTheEnvironment() {
        DatasetSettings settings =
                DatasetSettings.fromEnvironment(
                        Map.of("EQUIPOISE_DATASETS", "/a:/b c:", "XDG_CACHE_HOME", "/x"));
        DatasetSettings fallback = DatasetSettings.fromEnvironment(Map.of("HOME", "/home/ada"));

        assertThat(settings.places()).containsExactly(Path.of("/a"), Path.of("/b c"));
        assertThat(settings.cache()).isEqualTo(Path.of("/x/equipoise/datasets"));
        assertThat(fallback.places()).isEmpty();
        assertThat(fallback.cache()).isEqualTo(Path.of("/home/ada/.cache/equipoise/datasets"));
        assertThat(fallback.connectTimeout()).isEqualTo(Duration.ofSeconds(5));
    }

    private DatasetRegistry registry(Path... places) {
        return new DatasetRegistry(
                new DatasetSettings(
                        List.of(places), home.resolve("cache"), "npm", Duration.ofSeconds(1)),
                List.of(TestingIdx.publication()),
                HttpClient.newHttpClient());
    }
}
