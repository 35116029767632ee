package dev.equipoise.app.checkpoint;

import dev.equipoise.protocol.RunId;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Stores parts as files of a folder, which may contain other files. */
final class FolderStore implements CheckpointStore {

    private final Path folder;

    FolderStore(Path folder) {
        this.folder = folder.toAbsolutePath();
    }

    @Override
    public void take(CheckpointPart part, Path file) throws IOException {
        Files.move(
                file,
                pathOf(part),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
        // The name of a file is on the disk only after its folder is synced.
        try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
            names.force(true);
        }
    }

    private Path pathOf(CheckpointPart part) {
        return folder.resolve(part.name());
    }

    @Override
    public Optional<StoredPart> open(CheckpointPart part) throws IOException {
        if (!Files.isDirectory(folder)) {
            throw new NotDirectoryException(folder.toString());
        }
        try {
            Path file = pathOf(part);
            long bytes = Files.size(file);
            return Optional.of(new StoredPart(Files.newInputStream(file), bytes));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        }
    }

    @Override
    public List<CheckpointPart> of(RunId run) throws IOException {
        List<CheckpointPart> found = new ArrayList<>();
        for (Path file : files(run + "-*")) {
            part(file).ifPresent(found::add);
        }
        return found;
    }

    @Override
    public List<CheckpointPart> writtenBefore(Instant moment) throws IOException {
        List<CheckpointPart> found = new ArrayList<>();
        for (Path file : files("*")) {
            Optional<CheckpointPart> part = part(file);
            if (part.isPresent() && isBefore(file, moment)) {
                found.add(part.get());
            }
        }
        return found;
    }

    private List<Path> files(String names) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, names)) {
            files.forEach(found::add);
        }
        return found;
    }

    /** Returns empty for other files. */
    private static Optional<CheckpointPart> part(Path file) {
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                ? CheckpointPart.named(file.getFileName().toString())
                : Optional.empty();
    }

    /** Whether a file was last written before a moment; false if it was removed meanwhile. */
    static boolean isBefore(Path file, Instant moment) throws IOException {
        try {
            return Files.getLastModifiedTime(file).toInstant().isBefore(moment);
        } catch (NoSuchFileException gone) {
            return false;
        }
    }

    @Override
    public void remove(CheckpointPart part) throws IOException {
        Files.deleteIfExists(pathOf(part));
    }
}
