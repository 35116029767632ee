package dev.equipoise.agent.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

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

class DatasetLocatorTest {
    @TempDir private Path home;

    @Test
    void findsPackedFilesInAPlace() throws IOException {
        TestingIdx.writePacked(home.resolve("place/tiny"));

        LocalCopy copy = get(home.resolve("other"), home.resolve("place"));

        assertThat(copy.folder()).isEqualTo(home.resolve("place/tiny"));
        assertThat(copy.open(TestingIdx.FILES.get(1)).bytes())
                .isEqualTo(TestingIdx.raw("a-labels"));
        assertThat(home.resolve("cache")).doesNotExist();
    }

    @Test
    void findsRawFilesInTheCache() throws IOException {
        TestingIdx.writeRaw(home.resolve("cache/tiny"));

        assertThat(get().open(TestingIdx.FILES.getFirst()).bytes())
                .isEqualTo(TestingIdx.raw("a-images"));
    }

    @Test
    void rejectsAWrongFileAndKeepsIt() throws IOException {
        TestingIdx.writeRaw(home.resolve("place/tiny"));
        TestingIdx.writeRaw(home.resolve("cache/tiny"));
        Path damaged = home.resolve("place/tiny/b-labels");
        byte[] content = Files.readAllBytes(damaged);
        content[content.length - 1] ^= 1;
        Files.write(damaged, content);

        assertThatExceptionOfType(DatasetCorrupt.class)
                .isThrownBy(() -> get(home.resolve("place")).open(TestingIdx.FILES.get(3)))
                .withMessage(
                        "%s: checksum must be %s, but was %s"
                                .formatted(
                                        damaged,
                                        Checksum.MD5.of(TestingIdx.raw("b-labels")),
                                        Checksum.MD5.of(content)));
        assertThat(damaged).hasBinaryContent(content);
    }

    @Test
    void rejectsATruncatedOrDamagedPackedFile() throws IOException {
        TestingIdx.writePacked(home.resolve("cache/tiny"));
        byte[] packed = TestingIdx.packed("a-images");
        Path file = home.resolve("cache/tiny/a-images.gz");

        Files.write(file, Arrays.copyOf(packed, packed.length - 12));
        assertCorrupt(file);
        packed[packed.length - 5] ^= 1;
        Files.write(file, packed);
        assertCorrupt(file);
    }

    private void assertCorrupt(Path file) {
        assertThatExceptionOfType(DatasetCorrupt.class)
                .isThrownBy(() -> get().open(TestingIdx.FILES.getFirst()))
                .withMessageStartingWith(file + ": ");
    }

    @Test
    void namesEveryFolderWithoutTheData() throws IOException {
        TestingIdx.writePacked(home.resolve("half/tiny"));
        Files.delete(home.resolve("half/tiny/a-labels.gz"));

        assertThatExceptionOfType(DatasetUnavailable.class)
                .isThrownBy(() -> get(home.resolve("none"), home.resolve("half")))
                .withMessageContaining(home.resolve("none/tiny") + ": no such folder")
                .withMessageContaining(home.resolve("half/tiny/a-labels") + "[.gz]: no such file")
                .withMessageContaining(home.resolve("cache/tiny") + ": no such folder");
    }

    @Test
    void namesTheFileThatCannotBeRead() {
        Path file = home.resolve("a-images");

        assertThatExceptionOfType(DatasetUnavailable.class)
                .isThrownBy(() ->
                        new LocalCopy(TestingIdx.publication(), home)
                                .open(TestingIdx.FILES.getFirst()))
                .withMessageStartingWith("data set tiny: cannot read " + file + ": ")
                .withCauseInstanceOf(IOException.class);
    }

    @Test
    void readsItsSettingsFromTheEnvironment() {
        DatasetSettings settings =
                DatasetSettings.fromEnvironment(
                        Map.of("EQUIPOISE_DATASETS", "/a:/b c:", "XDG_CACHE_HOME", "/x"));
        DatasetSettings fallback = DatasetSettings.fromEnvironment(Map.of("HOME", "/home/ada"));

        assertThat(settings.places())
                .containsExactly(Path.of("/a"), Path.of("/b c"), Path.of("/usr/share/datasets"));
        assertThat(settings.cache()).isEqualTo(Path.of("/x/equipoise/datasets"));
        assertThat(fallback.places()).containsExactly(Path.of("/usr/share/datasets"));
        assertThat(fallback.cache()).isEqualTo(Path.of("/home/ada/.cache/equipoise/datasets"));
        assertThat(fallback.connectTimeout()).isEqualTo(Duration.ofSeconds(5));
    }

    private LocalCopy get(Path... places) {
        Fetcher offline =
                new Fetcher(
                        HttpClient.newHttpClient(),
                        Download.Limits.DEFAULT,
                        new NpmClient("/no/npm"),
                        new DebianClient("/no/apt", "/no/dpkg"));
        var settings =
                new DatasetSettings(
                        List.of(places),
                        home.resolve("cache"),
                        "npm",
                        "apt-get",
                        Duration.ofSeconds(1));
        return new DatasetLocator(settings, offline)
                .get(TestingIdx.publication(), TestingIdx.FILES);
    }
}
