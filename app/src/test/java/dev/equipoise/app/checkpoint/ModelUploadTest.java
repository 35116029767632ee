package dev.equipoise.app.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.model.SafetensorsHeader;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Layer;
import dev.equipoise.protocol.network.Shape;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.unit.DataSize;

class ModelUploadTest {

    private static final Models.Origin ORIGIN = new Models.Origin(RunId.of(new UUID(1, 2)), 2, 0);
    private static final ModelFile TARGET = ORIGIN.file(3, new UUID(4, 5));
    private static final byte[] FILE =
            TestingModels.file(
                    Architecture.of("layers", new Shape.Vector(100), List.of(new Layer.Dense(300))),
                    0.5f);

    @TempDir private Path folder;

    private UploadFolder uploads(DataSize keptFree) {
        var settings =
                new CheckpointSettings(
                        CheckpointSettings.Storage.FOLDER,
                        folder,
                        DataSize.ofMegabytes(1),
                        keptFree,
                        null);
        return new UploadFolder(settings.store(), settings);
    }

    private ModelUpload.WrittenModel write(byte[] file, long length, byte[] digest)
            throws IOException {
        return ModelUpload.open(new ByteArrayInputStream(file), length, digest)
                .writeTo(uploads(DataSize.ofBytes(0)), TARGET, Map.of("definition", "{}"));
    }

    private static void assertRejected(ThrowingCallable writing, ErrorCode code) {
        assertThatThrownBy(writing)
                .isInstanceOfSatisfying(Problem.class, it -> assertThat(it.code()).isEqualTo(code));
    }

    private List<String> names() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.map(it -> it.getFileName().toString()).toList();
        }
    }

    @Test
    void storedFileHasTheDataAndMoreMetadata() throws IOException {
        ModelUpload.WrittenModel written = write(FILE, FILE.length, TestingModels.sha256(FILE));

        byte[] stored = Files.readAllBytes(folder.resolve(TARGET.name()));
        assertThat(names()).containsExactly(TARGET.name());
        assertThat(written.bytes()).isEqualTo(stored.length);
        assertThat(written.digest())
                .isEqualTo(HexFormat.of().formatHex(TestingModels.sha256(stored)));
        var in = new ByteArrayInputStream(stored);
        SafetensorsHeader header = SafetensorsHeader.read(in, stored.length);
        assertThat(header.metadata())
                .containsEntry("format", "pt")
                .containsEntry("definition", "{}");
        byte[] data = in.readAllBytes();
        assertThat(data)
                .isEqualTo(Arrays.copyOfRange(FILE, FILE.length - data.length, FILE.length));
    }

    @Test
    void incompleteFileLeavesNone() throws IOException {
        byte[] digest = TestingModels.sha256(FILE);
        byte[] other = FILE.clone();
        other[FILE.length - 1] ^= 1;

        assertRejected(() -> write(other, FILE.length, digest), ErrorCode.INVALID_REQUEST);
        assertRejected(
                () -> write(Arrays.copyOf(FILE, FILE.length - 4), FILE.length, digest),
                ErrorCode.INVALID_REQUEST);
        assertRejected(
                () -> write(Arrays.copyOf(FILE, FILE.length + 1), FILE.length, digest),
                ErrorCode.INVALID_REQUEST);
        assertRejected(() -> write(FILE, FILE.length - 4, digest), ErrorCode.INVALID_REQUEST);
        assertRejected(() -> write(new byte[500], 500, digest), ErrorCode.INVALID_REQUEST);
        assertRejected(() -> write(new byte[3], 3, digest), ErrorCode.INVALID_REQUEST);

        assertThat(names()).isEmpty();
    }

    @Test
    void fullDiskIsReported() throws IOException {
        ModelUpload upload =
                ModelUpload.open(
                        new ByteArrayInputStream(FILE), FILE.length, TestingModels.sha256(FILE));

        assertRejected(
                () -> upload.writeTo(uploads(DataSize.ofTerabytes(1_000_000)), TARGET, Map.of()),
                ErrorCode.NO_ROOM);
        assertThat(names()).isEmpty();
    }

    private static ModelUpload opened(InputStream body) throws IOException {
        return ModelUpload.open(body, FILE.length, TestingModels.sha256(FILE));
    }

    @Test
    void rankSendsOneModelAtATimeIntoItsOwnFile() throws IOException {
        var receiver = new ModelUploads(uploads(DataSize.ofBytes(0)));
        ModelUpload other = opened(new ByteArrayInputStream(FILE));
        ModelUpload first =
                opened(
                        new FilterInputStream(new ByteArrayInputStream(FILE)) {
                            @Override
                            public int read() throws IOException {
                                // The last byte has arrived.
                                assertRejected(
                                        () -> receiver.receive(ORIGIN, 3, other, Map.of()),
                                        ErrorCode.BUSY);
                                return super.read();
                            }

                            @Override
                            public int read(byte[] bytes, int offset, int length)
                                    throws IOException {
                                return super.read(bytes, offset, length);
                            }
                        });

        ModelUpload.WrittenModel written = receiver.receive(ORIGIN, 3, first, Map.of());

        ModelUpload.WrittenModel repeated = receiver.receive(ORIGIN, 3, other, Map.of());
        assertThat(repeated.digest()).isEqualTo(written.digest());
        assertThat(names())
                .containsExactlyInAnyOrder(
                        ORIGIN.file(3, written.upload()).name(),
                        ORIGIN.file(3, repeated.upload()).name());
    }

    @Test
    void nameContainsTheIdentity() {
        assertThat(ModelFile.named(TARGET.name())).contains(TARGET);
        assertThat(ModelFile.named(TARGET.name().replace("-3-2-0-", "-3-2-x-"))).isEmpty();
        assertThat(ModelFile.named("my-" + TARGET.name())).isEmpty();
        assertThat(CheckpointPart.named(TARGET.name())).isEmpty();
    }
}
