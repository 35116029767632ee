package dev.equipoise.app.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.protocol.checkpoint.CheckpointHeader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.unit.DataSize;

/** Runs the contract against an S3-compatible server. */
class S3StoreIT extends CheckpointStoreContract {

    private static final String PREFIX = "lab/";

    @TempDir private static Path folder;

    @SuppressWarnings("NullAway.Init") // before all
    private static TestingS3Server server;

    private final String bucket = "checkpoints-" + UUID.randomUUID();

    @SuppressWarnings("NullAway.Init") // before each
    private Path objects;

    @SuppressWarnings("NullAway.Init") // before each
    private S3Store store;

    @BeforeAll
    static void start() throws IOException {
        server = TestingS3Server.start(folder);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void open() throws IOException {
        objects = server.bucket(bucket);
        store = S3Store.at(settings(TestingS3Server.SECRET_KEY));
    }

    @AfterEach
    void close() {
        store.close();
    }

    private S3Settings settings(String secret) {
        return server.settings(bucket, PREFIX, secret);
    }

    @Override
    CheckpointStore store() {
        return store;
    }

    @Test
    void namesBeginWithThePrefix() throws IOException {
        take(part(1, 0), bytes(10));

        assertThat(objects.resolve("lab").resolve(part(1, 0).name())).hasSize(10);
    }

    @Test
    void listSpansSeveralPages() throws IOException {
        for (int rank = 0; rank < 1_010; rank++) {
            take(part(1, rank), bytes(1));
        }

        assertThat(store.of(run)).hasSize(1_010);
    }

    @Test
    void otherObjectsOfTheBucketAreIgnored() throws IOException {
        for (String prefix : List.of("", "lab/below/", "lab/" + run + "-")) {
            try (S3Store other =
                    S3Store.at(server.settings(bucket, prefix, TestingS3Server.SECRET_KEY))) {
                other.take(part(1, 0), Files.write(folder.resolve("other"), bytes(10)));
            }
        }

        assertThat(store.of(run)).isEmpty();
        assertThat(store.writtenBefore(Instant.parse("2200-01-01T00:00:00Z"))).isEmpty();
    }

    @Test
    void wrongSecretIsRejected() throws IOException {
        take(part(1, 0), bytes(10));

        try (S3Store stranger = S3Store.at(settings("made-up"))) {
            assertThatThrownBy(() -> stranger.open(part(1, 0)))
                    .isInstanceOf(IOException.class)
                    .hasMessageNotContaining("made-up")
                    .hasMessageContaining("403");
        }
    }

    /** An unreachable server counts as a full one: the run continues and retries later. */
    @Test
    void unreachableServerIsReportedAsNoRoom() throws IOException {
        var away =
                new S3Settings(
                        URI.create("http://127.0.0.1:1"),
                        bucket,
                        "eu-central-1",
                        "",
                        TestingS3Server.ACCESS_KEY,
                        TestingS3Server.SECRET_KEY,
                        null,
                        true);
        var settings =
                new CheckpointSettings(
                        CheckpointSettings.Storage.S3,
                        folder.resolve("aside"),
                        DataSize.ofMegabytes(1),
                        DataSize.ofBytes(0),
                        away);
        var header = new CheckpointHeader(run, 1, 1, 1, 0, 0, 10, 0);
        byte[] file = TestingCheckpoints.file(header);
        var rest =
                new ByteArrayInputStream(
                        file, CheckpointHeader.BYTES, file.length - CheckpointHeader.BYTES);

        try (S3Store none = S3Store.at(away)) {
            var uploads = new CheckpointUploads(new UploadFolder(none, settings));
            assertThatThrownBy(() -> uploads.receive(header, rest))
                    .isInstanceOfSatisfying(
                            Problem.class,
                            it -> assertThat(it.code()).isEqualTo(ErrorCode.NO_ROOM));
        }
        assertThat(folder.resolve("aside")).isEmptyDirectory();
    }
}
