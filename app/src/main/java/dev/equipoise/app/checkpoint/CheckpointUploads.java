package dev.equipoise.app.checkpoint;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.protocol.PrivateFolder;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.checkpoint.CheckpointHeader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Receives checkpoint parts: writes each to a temporary file and hands it to the store once it is
 * complete.
 */
@Component
class CheckpointUploads {

    private static final Logger log = LoggerFactory.getLogger(CheckpointUploads.class);
    private static final String TEMPORARY = "checkpoint";
    private static final String TEMPORARY_SUFFIX = ".part";
    private static final Pattern TEMPORARY_NAME = Pattern.compile("checkpoint[0-9]+[.]part");

    /** File names of earlier versions, which no agent can read. */
    private static final Pattern FORMER_NAME =
            Pattern.compile("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}-[0-9]+[.]checkpoint");

    private static final int SLICE = 1 << 16;

    private final CheckpointStore store;
    private final Path folder;
    private final long keptFree;

    /** Bytes of all current uploads, including those that are on the disk already. */
    private final AtomicLong uploading = new AtomicLong();

    private final Set<Sender> senders = ConcurrentHashMap.newKeySet();

    /** Rank that uploads its parts one after the other. */
    private record Sender(RunId run, int generation, int rank) {}

    CheckpointUploads(CheckpointStore store, CheckpointSettings settings) {
        this.store = store;
        this.folder = settings.folder().toAbsolutePath();
        this.keptFree = settings.keptFree().toBytes();
    }

    /**
     * Receives a part whose header was read already.
     *
     * @param rest content after the header
     * @throws Problem {@code invalid-request} if the part is incomplete, {@code no-room} if it
     *     cannot be written, {@code illegal-state} if the rank is sending another part
     */
    void receive(CheckpointHeader header, InputStream rest) throws IOException {
        Sender sender = admit(header);
        long all = uploading.addAndGet(header.fileBytes());
        try {
            requireRoom(all);
            store(header, rest);
        } finally {
            uploading.addAndGet(-header.fileBytes());
            senders.remove(sender);
        }
    }

    private Sender admit(CheckpointHeader header) {
        var sender = new Sender(header.run(), header.generation(), header.rank());
        if (!senders.add(sender)) {
            throw Problem.of(
                    ErrorCode.ILLEGAL_STATE,
                    "Rank %d of run %s is already sending a part: send one at a time"
                            .formatted(sender.rank(), sender.run()));
        }
        return sender;
    }

    private void store(CheckpointHeader header, InputStream rest) throws IOException {
        Path temporary = createTemporary();
        try {
            writeTemporary(temporary, header, rest);
            hand(CheckpointPart.of(header), temporary);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    private void hand(CheckpointPart part, Path temporary) {
        try {
            store.take(part, temporary);
        } catch (IOException failure) {
            throw noRoom(failure);
        }
    }

    private Path createTemporary() {
        try {
            return Files.createTempFile(folder, TEMPORARY, TEMPORARY_SUFFIX);
        } catch (IOException failure) {
            throw noRoom(failure);
        }
    }

    private void requireRoom(long bytes) {
        long usable = usable();
        if (usable - bytes < keptFree) {
            throw Problem.of(
                    ErrorCode.NO_ROOM,
                    "Checkpoints of %d bytes do not fit: the disk has %d left and %d must stay free"
                            .formatted(bytes, usable, keptFree));
        }
    }

    private long usable() {
        try {
            PrivateFolder.create(folder);
            // Not from its FileStore, which is not found if the root is no mount, as in a chroot.
            return folder.toRealPath().toFile().getUsableSpace();
        } catch (IOException failure) {
            throw noRoom(failure);
        }
    }

    /** Logs the cause and hides it from users, who need not know the paths of the service. */
    private static Problem noRoom(IOException failure) {
        log.error("checkpoint cannot be written", failure);
        return Problem.of(
                ErrorCode.NO_ROOM,
                "The checkpoint cannot be written: the log of the service has the cause");
    }

    private static void writeTemporary(Path temporary, CheckpointHeader header, InputStream rest)
            throws IOException {
        try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
            OutputStream file = Channels.newOutputStream(channel);
            MessageDigest digest = Digests.sha256();
            byte[] beginning = header.toBytes();
            digest.update(beginning);
            write(file, beginning, beginning.length);
            byte[] slice = new byte[SLICE];
            long left = header.fileBytes() - CheckpointHeader.BYTES - CheckpointHeader.DIGEST_BYTES;
            while (left > 0) {
                int read = rest.readNBytes(slice, 0, (int) Math.min(SLICE, left));
                requireMore(read);
                digest.update(slice, 0, read);
                write(file, slice, read);
                left -= read;
            }
            byte[] digestOfSender = rest.readNBytes(CheckpointHeader.DIGEST_BYTES);
            if (!MessageDigest.isEqual(digestOfSender, digest.digest()) || rest.read() >= 0) {
                throw invalid("its bytes do not match its digest");
            }
            write(file, digestOfSender, digestOfSender.length);
            sync(channel);
        }
    }

    private static void requireMore(int read) {
        if (read == 0) {
            throw invalid("it ends too early");
        }
    }

    private static void write(OutputStream file, byte[] bytes, int count) {
        try {
            file.write(bytes, 0, count);
        } catch (IOException failure) {
            throw noRoom(failure);
        }
    }

    private static void sync(FileChannel channel) {
        try {
            channel.force(true);
        } catch (IOException failure) {
            throw noRoom(failure);
        }
    }

    private static Problem invalid(String why) {
        return Problem.of(ErrorCode.INVALID_REQUEST, "The checkpoint is incomplete: " + why);
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
                Files.newDirectoryStream(folder, CheckpointUploads::isLeftOver)) {
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
