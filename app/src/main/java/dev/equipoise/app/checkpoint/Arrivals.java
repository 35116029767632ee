package dev.equipoise.app.checkpoint;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
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

/** Parts that come in: each is written aside, and handed to the store once it is whole. */
@Component
class Arrivals {

    private static final Logger log = LoggerFactory.getLogger(Arrivals.class);
    private static final String ASIDE = "checkpoint";
    private static final String ENDING_ASIDE = ".part";
    private static final Pattern NAME_ASIDE = Pattern.compile("checkpoint[0-9]+[.]part");

    /** Of earlier versions, of which no agent can read the files. */
    private static final Pattern NAME_BEFORE =
            Pattern.compile("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}-[0-9]+[.]checkpoint");

    private static final int SLICE = 1 << 16;

    private final CheckpointStore store;
    private final Path folder;
    private final long keptFree;

    /** Bytes of all that comes in at this moment, though some of them are on the disk already. */
    private final AtomicLong coming = new AtomicLong();

    private final Set<Sender> senders = ConcurrentHashMap.newKeySet();

    /** Who sends one part after the other. */
    private record Sender(RunId run, int generation, int rank) {}

    Arrivals(CheckpointStore store, CheckpointSettings settings) {
        this.store = store;
        this.folder = settings.folder().toAbsolutePath();
        this.keptFree = settings.keptFree().toBytes();
    }

    /**
     * Takes one, of which the header was read already.
     *
     * @param rest of the file
     * @throws Problem {@code invalid-request} where it is not whole, {@code no-room} where it
     *     cannot be written, {@code illegal-state} where the rank is sending another
     */
    void take(CheckpointHeader header, InputStream rest) throws IOException {
        var sender = new Sender(header.run(), header.generation(), header.rank());
        if (!senders.add(sender)) {
            throw Problem.of(
                    ErrorCode.ILLEGAL_STATE,
                    "Rank %d of run %s is sending another part"
                            .formatted(sender.rank(), sender.run()));
        }
        long all = coming.addAndGet(header.fileBytes());
        try {
            requireRoom(all);
            store(header, rest);
        } finally {
            coming.addAndGet(-header.fileBytes());
            senders.remove(sender);
        }
    }

    private void store(CheckpointHeader header, InputStream rest) throws IOException {
        Path aside = aside();
        try {
            writeAside(aside, header, rest);
            hand(CheckpointPart.of(header), aside);
        } finally {
            Files.deleteIfExists(aside);
        }
    }

    private void hand(CheckpointPart part, Path aside) {
        try {
            store.take(part, aside);
        } catch (IOException failure) {
            throw noRoom(failure);
        }
    }

    private Path aside() {
        try {
            return Files.createTempFile(folder, ASIDE, ENDING_ASIDE);
        } catch (IOException failure) {
            throw noRoom(failure);
        }
    }

    private void requireRoom(long bytes) {
        long usable = usable();
        if (usable - bytes < keptFree) {
            throw Problem.of(
                    ErrorCode.NO_ROOM,
                    "Checkpoints of %d bytes do not fit: the disk has %d left, of which %d are kept free"
                            .formatted(bytes, usable, keptFree));
        }
    }

    private long usable() {
        try {
            Files.createDirectories(folder);
            // Not of its file store, which is not found where the root is no mount, as in a chroot.
            return folder.toRealPath().toFile().getUsableSpace();
        } catch (IOException failure) {
            throw noRoom(failure);
        }
    }

    /** Where the service keeps its files is nothing that users of a project need to know. */
    private static Problem noRoom(IOException failure) {
        log.error("checkpoint cannot be written", failure);
        return Problem.of(
                ErrorCode.NO_ROOM,
                "The checkpoint cannot be written: the log of the service tells why");
    }

    private static void writeAside(Path aside, CheckpointHeader header, InputStream rest)
            throws IOException {
        try (FileChannel channel = FileChannel.open(aside, StandardOpenOption.WRITE)) {
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
            byte[] told = rest.readNBytes(CheckpointHeader.DIGEST_BYTES);
            if (!MessageDigest.isEqual(told, digest.digest()) || rest.read() >= 0) {
                throw invalid("its bytes are not those that its digest was made of");
            }
            write(file, told, told.length);
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
        return Problem.of(ErrorCode.INVALID_REQUEST, "The checkpoint is not whole: " + why);
    }

    /**
     * Removes what was being written, and what an earlier version has left; nothing else, whatever
     * there is in the folder.
     *
     * @param before what was touched later is left alone
     * @return how many
     */
    int removeLeftOver(Instant before) throws IOException {
        if (!Files.isDirectory(folder)) {
            return 0;
        }
        int removed = 0;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, Arrivals::isLeftOver)) {
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
                && (NAME_ASIDE.matcher(name).matches() || NAME_BEFORE.matcher(name).matches());
    }
}
