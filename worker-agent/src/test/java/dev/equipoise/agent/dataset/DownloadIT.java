package dev.equipoise.agent.dataset;

import static dev.equipoise.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.equipoise.agent.dataset.Download.Limits;
import dev.equipoise.agent.dataset.TestingMirror.Ranges;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DownloadIT {
    private static final Duration LOOK = Duration.ofMillis(50);
    private static final int PATIENT = (int) PATIENCE.dividedBy(LOOK);
    private static final Limits LIMITS = new Limits(1 << 20, LOOK, PATIENT, PATIENT, 5);
    private static final int SIZE = 100_000;

    private final byte[] content = new byte[SIZE];
    private final TestingMirror mirror = new TestingMirror();
    private final HttpClient http = HttpClient.newHttpClient();
    @TempDir private Path folder;

    @BeforeEach
    void serve() {
        new SplittableRandom(1).nextBytes(content);
        mirror.serve("file", content);
    }

    @AfterEach
    void stop() {
        mirror.close();
        http.shutdownNow();
    }

    @Test
    void downloadsAWholeFile() throws IOException {
        download(LIMITS);

        assertThat(part()).hasBinaryContent(content);
        assertThat(mirror.requests()).containsExactly("file");
    }

    @Test
    void resumesAnEarlierAttempt() throws IOException {
        Files.write(part(), Arrays.copyOf(content, 30_000));

        download(LIMITS);

        assertThat(part()).hasBinaryContent(content);
        assertThat(mirror.requests()).containsExactly("file bytes=30000-");
    }

    @Test
    void restartsWhenTheServerIgnoresTheRange() throws IOException {
        Files.write(part(), new byte[30_000]);
        mirror.ranges(Ranges.SENDS_ALL);

        download(LIMITS);

        assertThat(part()).hasBinaryContent(content);
    }

    @Test
    void rejectsARangeOtherThanTheRequestedOne() throws IOException {
        Files.write(part(), Arrays.copyOf(content, 30_000));
        mirror.ranges(Ranges.SENDS_FROM_ELSEWHERE);

        assertThatIOException()
                .isThrownBy(() -> download(LIMITS))
                .withMessageContaining("asked for bytes from 30000, but was sent bytes 29999-");
        assertThat(part()).hasBinaryContent(Arrays.copyOf(content, 30_000));
    }

    @Test
    void restartsWhenTheRangeIsNotSatisfiable() throws IOException {
        Files.write(part(), new byte[SIZE + 1]);

        download(LIMITS);

        assertThat(part()).hasBinaryContent(content);
        assertThat(mirror.requests()).containsExactly("file bytes=100001-", "file");
    }

    @Test
    void retriesAsLongAsItMakesProgress() throws IOException {
        mirror.breakOffAfter(40_000);

        download(LIMITS);

        assertThat(part()).hasBinaryContent(content);
        assertThat(mirror.requests())
                .containsExactly("file", "file bytes=40000-", "file bytes=80000-");
    }

    @Test
    void endsAndKeepsThePartAfterTooManyInterruptions() {
        mirror.breakOffAfter(10_000);

        assertThatIOException().isThrownBy(() -> download(LIMITS));
        assertThat(part()).hasBinaryContent(Arrays.copyOf(content, 50_000));
    }

    @Test
    void endsAndKeepsThePartWhenTheServerIsSilent() throws IOException {
        Files.write(part(), Arrays.copyOf(content, 30_000));
        mirror.fallSilent();

        assertThatIOException()
                .isThrownBy(() -> download(new Limits(1 << 20, LOOK, 4, PATIENT, 1)))
                .withMessage("received nothing for PT0.2S");
        // A busy host may pass the limit before the server has sent half of the rest.
        assertThat(part().toFile().length()).isBetween(30_000L, 65_000L);
        byte[] kept = Files.readAllBytes(part());
        assertThat(kept).isEqualTo(Arrays.copyOf(content, kept.length));
    }

    @Test
    void limitsTheBytes() {
        Limits small = new Limits(50_000, LOOK, PATIENT, PATIENT, 1);

        assertThatIOException().isThrownBy(() -> download(small));
        assertThat(part().toFile().length()).isLessThanOrEqualTo(50_000);
    }

    private void download(Limits limits) throws IOException {
        new Download(http, limits, mirror.address().resolve("file"), part()).run();
    }

    private Path part() {
        return folder.resolve("file.part");
    }
}
