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
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** The files, named by run and epoch. A file that has its name is whole, and on the disk. */
@Component
class CheckpointFiles {

    private static final Logger log = LoggerFactory.getLogger(CheckpointFiles.class);
    private static final String ENDING = ".checkpoint";
    private static final String ASIDE = "checkpoint";
    private static final String ENDING_ASIDE = ".part";
    private static final Pattern NAME =
            Pattern.compile("([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-[0-9]+[.]checkpoint");
    private static final Pattern NAME_ASIDE = Pattern.compile("checkpoint[0-9]+[.]part");

    /** The others are looked at after the next start. */
    private static final int MOST_LEFT_OVER = 10_000;

    private static final int SLICE = 1 << 16;

    private final Path folder;
    private final long keptFree;

    CheckpointFiles(CheckpointSettings settings) {
        this.folder = settings.folder().toAbsolutePath();
        this.keptFree = settings.keptFree().toBytes();
    }

    /**
     * Writes one, of which the header was read already.
     *
     * @param rest of the file
     * @throws Problem {@code invalid-request} where it is not whole, {@code no-room} where it
     *     cannot be written
     */
    void write(CheckpointHeader header, InputStream rest) throws IOException {
        try {
            Files.createDirectories(folder);
            requireRoom(header.fileBytes());
        } catch (IOException failure) {
            throw noRoom(failure);
        }
        Path aside = aside();
        try {
            writeAside(aside, header, rest);
            rename(aside, file(header.run(), header.epoch()));
        } finally {
            Files.deleteIfExists(aside);
        }
    }

    private Path aside() {
        try {
            return Files.createTempFile(folder, ASIDE, ENDING_ASIDE);
        } catch (IOException failure) {
            throw noRoom(failure);
        }
    }

    private void requireRoom(long bytes) throws IOException {
        long usable = Files.getFileStore(folder).getUsableSpace();
        if (usable - bytes < keptFree) {
            throw Problem.of(
                    ErrorCode.NO_ROOM,
                    "A checkpoint of %d bytes does not fit: the disk has %d left, of which %d are kept free"
                            .formatted(bytes, usable, keptFree));
        }
    }

    private static void rename(Path aside, Path file) {
        try {
            Files.move(
                    aside,
                    file,
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
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
            MessageDigest digest = sha256();
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

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    Path file(RunId run, int epoch) {
        return folder.resolve("%s-%d%s".formatted(run, epoch, ENDING));
    }

    /**
     * Removes some of a run.
     *
     * @param old tells them by their epochs
     */
    void remove(RunId run, IntPredicate old) {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try {
            for (Path file : of(run)) {
                if (old.test(epoch(file))) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (IOException failure) {
            log.warn("old checkpoints of run {} stay: {}", run, failure.toString());
        }
    }

    /** Of one that bears a name of ours. */
    private static int epoch(Path file) {
        String name = file.getFileName().toString();
        return Integer.parseInt(
                name.substring(name.lastIndexOf('-') + 1, name.length() - ENDING.length()));
    }

    /**
     * Removes what was being written, and what is of runs that are over; nothing else, whatever
     * there is in the folder.
     *
     * @param notOver which of some runs are not
     * @param before what was touched later is left alone
     * @return how many
     */
    int removeLeftOver(Function<Set<RunId>, Set<RunId>> notOver, Instant before) {
        if (!Files.isDirectory(folder)) {
            return 0;
        }
        try {
            List<Path> old = old(before);
            Set<RunId> runs =
                    old.stream().flatMap(it -> run(it).stream()).collect(Collectors.toSet());
            Set<RunId> spared = runs.isEmpty() ? Set.of() : notOver.apply(runs);
            int removed = 0;
            for (Path file : old) {
                if (run(file).filter(spared::contains).isEmpty() && Files.deleteIfExists(file)) {
                    removed++;
                }
            }
            return removed;
        } catch (IOException failure) {
            log.warn("what checkpoints have left stays: {}", failure.toString());
            return 0;
        }
    }

    private List<Path> old(Instant before) throws IOException {
        List<Path> old = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, this::isOwn)) {
            for (Path file : files) {
                if (old.size() == MOST_LEFT_OVER) {
                    break;
                }
                if (lastTouched(file).filter(before::isAfter).isPresent()) {
                    old.add(file);
                }
            }
        }
        return old;
    }

    private boolean isOwn(Path file) {
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                && (run(file).isPresent()
                        || NAME_ASIDE.matcher(file.getFileName().toString()).matches());
    }

    /** Empty where somebody has removed it meanwhile. */
    private static Optional<Instant> lastTouched(Path file) throws IOException {
        try {
            return Optional.of(Files.getLastModifiedTime(file).toInstant());
        } catch (NoSuchFileException gone) {
            return Optional.empty();
        }
    }

    /** The run of which a file is a checkpoint; empty where its name says nothing of the kind. */
    private static Optional<RunId> run(Path file) {
        Matcher name = NAME.matcher(file.getFileName().toString());
        return name.matches()
                ? Optional.of(RunId.of(UUID.fromString(name.group(1))))
                : Optional.empty();
    }

    private List<Path> of(RunId run) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(it -> isOf(run, it)).toList();
        }
    }

    private static boolean isOf(RunId run, Path file) {
        String name = file.getFileName().toString();
        return name.startsWith(run + "-") && name.endsWith(ENDING);
    }
}
