package dev.equipoise.app.checkpoint;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.protocol.PrivateFolder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Folder in which each upload is written to a temporary file, which the store takes once it is
 * complete. The uploads leave some of its disk free.
 */
@Component
class UploadFolder {

    private static final Logger log = LoggerFactory.getLogger(UploadFolder.class);
    private static final String TEMPORARY = "checkpoint";
    private static final String TEMPORARY_SUFFIX = ".part";
    private static final Pattern TEMPORARY_NAME = Pattern.compile("checkpoint[0-9]+[.]part");

    /** File names of earlier versions, which no agent can read. */
    private static final Pattern FORMER_NAME =
            Pattern.compile("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}-[0-9]+[.]checkpoint");

    private final CheckpointStore store;
    private final Path folder;
    private final long keptFree;

    /** Bytes of all current uploads, including those that are on the disk already. */
    private final AtomicLong uploading = new AtomicLong();

    UploadFolder(CheckpointStore store, CheckpointSettings settings) {
        this.store = store;
        this.folder = settings.folder().toAbsolutePath();
        this.keptFree = settings.keptFree().toBytes();
    }

    /** Content of a file, which arrives while it is written. */
    @FunctionalInterface
    interface Content {

        /**
         * Writes the content.
         *
         * @throws IOException if the content cannot be read
         */
        void writeTo(TemporaryFile file) throws IOException;
    }

    /** Temporary file; what cannot be written to it is a problem of the service. */
    static final class TemporaryFile {

        private final FileChannel channel;
        private final RunFile target;

        private TemporaryFile(FileChannel channel, RunFile target) {
            this.channel = channel;
            this.target = target;
        }

        /**
         * Appends the first bytes of an array.
         *
         * @throws Problem {@code no-room} if they cannot be written
         */
        void write(byte[] bytes, int count) {
            try {
                ByteBuffer left = ByteBuffer.wrap(bytes, 0, count);
                while (left.hasRemaining()) {
                    channel.write(left);
                }
            } catch (IOException failure) {
                throw noRoom(target, failure);
            }
        }
    }

    /**
     * Writes a file and hands it to the store.
     *
     * @param bytes size of the file
     * @throws Problem {@code no-room} if it cannot be written
     * @throws IOException if the content cannot be read
     */
    void receive(RunFile target, long bytes, Content content) throws IOException {
        long all = uploading.addAndGet(bytes);
        try {
            requireRoom(target, all);
            store(target, content);
        } finally {
            uploading.addAndGet(-bytes);
        }
    }

    private void requireRoom(RunFile target, long bytes) {
        long usable = usable(target);
        if (usable - bytes < keptFree) {
            throw Problem.of(
                    ErrorCode.NO_ROOM,
                    "Uploads of %d bytes do not fit: the disk has %d left and %d must stay free"
                            .formatted(bytes, usable, keptFree));
        }
    }

    private long usable(RunFile target) {
        try {
            PrivateFolder.create(folder);
            // Not from its FileStore, which is not found if the root is no mount, as in a chroot.
            return folder.toRealPath().toFile().getUsableSpace();
        } catch (IOException failure) {
            throw noRoom(target, failure);
        }
    }

    private void store(RunFile target, Content content) throws IOException {
        Path temporary = createTemporary(target);
        try {
            writeTemporary(temporary, target, content);
            hand(target, temporary);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    private Path createTemporary(RunFile target) {
        try {
            return Files.createTempFile(folder, TEMPORARY, TEMPORARY_SUFFIX);
        } catch (IOException failure) {
            throw noRoom(target, failure);
        }
    }

    private static void writeTemporary(Path temporary, RunFile target, Content content)
            throws IOException {
        try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
            content.writeTo(new TemporaryFile(channel, target));
            sync(channel, target);
        }
    }

    private static void sync(FileChannel channel, RunFile target) {
        try {
            channel.force(true);
        } catch (IOException failure) {
            throw noRoom(target, failure);
        }
    }

    private void hand(RunFile target, Path temporary) {
        try {
            store.take(target, temporary);
        } catch (IOException failure) {
            throw noRoom(target, failure);
        }
    }

    /** Logs the cause and hides it from users, who need not know the paths of the service. */
    private static Problem noRoom(RunFile target, IOException failure) {
        log.error("{} cannot be written", target.kind(), failure);
        return Problem.of(
                ErrorCode.NO_ROOM,
                "The %s cannot be written: the log of the service has the cause"
                        .formatted(target.kind()));
    }

    /**
     * Removes unfinished uploads and files of earlier versions, and no other file of the folder.
     *
     * @param before time after whose last write a file is left alone
     * @return number of removed files
     */
    int removeLeftOver(Instant before) throws IOException {
        if (!Files.isDirectory(folder)) {
            return 0;
        }
        int removed = 0;
        try (DirectoryStream<Path> files =
                Files.newDirectoryStream(folder, UploadFolder::isLeftOver)) {
            for (Path file : files) {
                if (FolderStore.isBefore(file, before) && Files.deleteIfExists(file)) {
                    removed++;
                }
            }
        }
        return removed;
    }

    private static boolean isLeftOver(Path file) {
        String name = file.getFileName().toString();
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                && (TEMPORARY_NAME.matcher(name).matches() || FORMER_NAME.matcher(name).matches());
    }
}
