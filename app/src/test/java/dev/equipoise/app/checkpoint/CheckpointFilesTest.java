package dev.equipoise.app.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.checkpoint.CheckpointHeader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.unit.DataSize;

class CheckpointFilesTest {

    private static final RunId RUN = RunId.of(new UUID(1, 2));
    private static final RunId OTHER = RunId.of(new UUID(1, 3));

    @TempDir private Path folder;

    private CheckpointFiles files() {
        return files(folder, DataSize.ofBytes(0));
    }

    private static CheckpointFiles files(Path folder, DataSize keptFree) {
        var settings =
                new CheckpointSettings(
                        CheckpointSettings.Storage.FOLDER,
                        folder,
                        DataSize.ofMegabytes(1),
                        keptFree,
                        null);
        CheckpointStore store = settings.store();
        return new CheckpointFiles(new CheckpointUploads(new UploadFolder(store, settings)), store);
    }

    private static CheckpointHeader header(RunId run, int epoch) {
        return new CheckpointHeader(run, 2, epoch, 3, 0, 6, 50_000, 30_000);
    }

    private static void write(CheckpointFiles files, CheckpointHeader header, byte[] file)
            throws IOException {
        files.write(
                header,
                new ByteArrayInputStream(
                        file, CheckpointHeader.BYTES, file.length - CheckpointHeader.BYTES));
    }

    private static void write(CheckpointFiles files, RunId run, int epoch) throws IOException {
        CheckpointHeader header = header(run, epoch);
        write(files, header, TestingCheckpoints.file(header));
    }

    private static void assertRejected(ThrowingCallable writing, ErrorCode code) {
        assertThatThrownBy(writing)
                .isInstanceOfSatisfying(Problem.class, it -> assertThat(it.code()).isEqualTo(code));
    }

    private List<String> names() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.map(it -> it.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void writtenPartHasItsBytes() throws IOException {
        CheckpointFiles files = files();

        write(files, RUN, 4);

        assertThat(names()).containsExactly(RUN + "-4-2-0.checkpoint");
        assertThat(folder.resolve(RUN + "-4-2-0.checkpoint"))
                .hasBinaryContent(TestingCheckpoints.file(header(RUN, 4)));
    }

    @Test
    void newFoldersBelongToTheirOwnerAlone() throws IOException {
        Path data = folder.resolve("data");

        write(files(data.resolve("checkpoints"), DataSize.ofBytes(0)), RUN, 4);

        for (Path created : List.of(data, data.resolve("checkpoints"))) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(created)))
                    .isEqualTo("rwx------");
        }
    }

    @Test
    void damagedPartIsNotOpened() throws IOException {
        CheckpointFiles files = files();
        CheckpointPart part = CheckpointPart.of(header(RUN, 4));
        Path file = folder.resolve(part.name());
        write(files, RUN, 4);
        byte[] whole = Files.readAllBytes(file);

        for (int damaged : List.of(0, CheckpointHeader.BYTES + 100, whole.length - 1)) {
            byte[] bytes = whole.clone();
            bytes[damaged] ^= 1;
            Files.write(file, bytes);
            assertThat(files.open(part)).as("byte %d differs", damaged).isEmpty();
        }
        for (int length : List.of(0, 5_000, whole.length - 1, whole.length + 1)) {
            Files.write(file, Arrays.copyOf(whole, length));
            assertThat(files.open(part)).as("length %d", length).isEmpty();
        }
        Files.write(file, whole);
        try (InputStream content = files.open(part).orElseThrow().content()) {
            assertThat(content).hasBinaryContent(whole);
        }
    }

    @Test
    void incompletePartLeavesNoFile() throws IOException {
        CheckpointHeader header = header(RUN, 4);
        byte[] other = TestingCheckpoints.file(header);
        other[CheckpointHeader.BYTES + 100] ^= 1;
        byte[] whole = TestingCheckpoints.file(header);

        assertRejected(() -> write(files(), header, other), ErrorCode.INVALID_REQUEST);
        for (int length : List.of(CheckpointHeader.BYTES, 5_000, whole.length - 1)) {
            assertRejected(
                    () -> write(files(), header, Arrays.copyOf(whole, length)),
                    ErrorCode.INVALID_REQUEST);
        }
        assertRejected(
                () -> write(files(), header, Arrays.copyOf(whole, whole.length + 1)),
                ErrorCode.INVALID_REQUEST);
        assertThat(names()).isEmpty();
    }

    @Test
    void fullDiskIsReported() throws IOException {
        CheckpointFiles files = files(folder, DataSize.ofTerabytes(1_000_000));

        assertRejected(() -> write(files, RUN, 4), ErrorCode.NO_ROOM);
        assertThat(names()).isEmpty();
    }

    /**
     * Creates a stream that runs an action when its first byte is read, and then ends too early.
     */
    private static InputStream afterAction(ThrowingCallable action) {
        return new ByteArrayInputStream(new byte[0]) {
            @Override
            public synchronized int read(byte[] bytes, int offset, int length) {
                assertThatCode(action).doesNotThrowAnyException();
                return -1;
            }
        };
    }

    @Test
    void rankUploadsOnePartAtATime() throws IOException {
        CheckpointFiles files = files();

        assertRejected(
                () ->
                        files.write(
                                header(RUN, 4),
                                afterAction(() -> {
                                    assertRejected(
                                            () -> write(files, RUN, 5), ErrorCode.ILLEGAL_STATE);
                                    write(files, OTHER, 5);
                                })),
                ErrorCode.INVALID_REQUEST);
        write(files, RUN, 5);

        assertThat(names())
                .containsExactlyInAnyOrder(RUN + "-5-2-0.checkpoint", OTHER + "-5-2-0.checkpoint");
    }

    @Test
    void concurrentUploadsMustFitTogether() throws IOException {
        CheckpointFiles files = files();
        long most = Files.getFileStore(folder).getUsableSpace() * 2 / 3 / Float.BYTES;
        var large = new CheckpointHeader(RUN, 2, 4, 3, 0, 6, 0, most);
        var another = new CheckpointHeader(OTHER, 2, 4, 3, 0, 6, 0, most);

        assertRejected(
                () ->
                        files.write(
                                large,
                                afterAction(() -> {
                                    assertRejected(
                                            () ->
                                                    files.write(
                                                            another, InputStream.nullInputStream()),
                                            ErrorCode.NO_ROOM);
                                    write(files, OTHER, 4);
                                })),
                ErrorCode.INVALID_REQUEST);
        assertRejected(
                () -> files.write(another, InputStream.nullInputStream()),
                ErrorCode.INVALID_REQUEST);
    }

    @Test
    void leftOverFilesAreRemovedAndNoOthers() throws IOException {
        CheckpointFiles files = files();
        write(files, RUN, 4);
        write(files, OTHER, 4);
        RunId young = RunId.of(new UUID(1, 4));
        write(files, young, 4);
        Files.createFile(folder.resolve(RUN + "-3.checkpoint"));
        Files.createFile(folder.resolve("checkpoint123.part"));
        Files.createFile(folder.resolve("checkpoint456.part"));
        List<String> others =
                List.of(
                        "notes.part",
                        "checkpoint.part",
                        "checkpointing12.part",
                        OTHER + ".checkpoint",
                        OTHER + "-4-2-0.checkpoint.old",
                        OTHER + "-4-2.checkpoint",
                        "my-" + OTHER + "-4-2-0.checkpoint");
        for (String name : others) {
            Files.createFile(folder.resolve(name));
        }
        Files.createDirectory(folder.resolve("checkpoint789.part"));
        Instant before = Instant.parse("2026-01-01T00:00:00Z");
        for (String name : names()) {
            boolean isYoung = name.startsWith(young.toString()) || name.contains("456");
            Files.setLastModifiedTime(
                    folder.resolve(name), FileTime.from(isYoung ? before : before.minusSeconds(1)));
        }

        int removed = files.removeLeftOver(() -> Set.of(RUN), before);

        assertThat(removed)
                .as("a part, a file of an earlier version, and a temporary file")
                .isEqualTo(3);
        assertThat(names())
                .containsExactlyInAnyOrderElementsOf(
                        Stream.concat(
                                        others.stream(),
                                        Stream.of(
                                                RUN + "-4-2-0.checkpoint",
                                                young + "-4-2-0.checkpoint",
                                                "checkpoint456.part",
                                                "checkpoint789.part"))
                                .toList());
    }

    @Test
    void missingFolderHasNoLeftOverFiles() {
        assertThat(
                        files(folder.resolve("none"), DataSize.ofBytes(0))
                                .removeLeftOver(Set::of, Instant.MAX))
                .isZero();
    }

    @Test
    void unusableFolderIsReported() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));

        assertRejected(
                () -> write(files(file.resolve("below"), DataSize.ofBytes(0)), RUN, 4),
                ErrorCode.NO_ROOM);
    }

    @Test
    void newestPartsOfARunStay() throws IOException {
        CheckpointFiles files = files();
        write(files, RUN, 4);
        write(files, RUN, 9);
        write(files, OTHER, 4);

        files.remove(RUN, part -> part.epoch() != 9);
        assertThat(names()).containsExactly(RUN + "-9-2-0.checkpoint", OTHER + "-4-2-0.checkpoint");

        files.remove(RUN, _ -> true);
        assertThat(names()).containsExactly(OTHER + "-4-2-0.checkpoint");
    }
}
