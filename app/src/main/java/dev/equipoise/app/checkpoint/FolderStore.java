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
import java.util.function.Function;

/** Stores files in a folder, which may contain others. */
final class FolderStore implements CheckpointStore {

    private final Path folder;

    FolderStore(Path folder) {
        this.folder = folder.toAbsolutePath();
    }

    @Override
    public void take(RunFile file, Path complete) throws IOException {
        Files.move(
                complete,
                pathOf(file),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
        // The name of a file is on the disk only after its folder is synced.
        try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
            names.force(true);
        }
    }

    private Path pathOf(RunFile file) {
        return folder.resolve(file.name());
    }

    @Override
    public Optional<StoredPart> open(RunFile file) throws IOException {
        if (!Files.isDirectory(folder)) {
            throw new NotDirectoryException(folder.toString());
        }
        try {
            Path path = pathOf(file);
            long bytes = Files.size(path);
            return Optional.of(new StoredPart(Files.newInputStream(path), bytes));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        }
    }

    @Override
    public List<CheckpointPart> of(RunId run) throws IOException {
        return of(run, CheckpointPart::named);
    }

    @Override
    public List<ModelFile> modelsOf(RunId run) throws IOException {
        return of(run, ModelFile::named);
    }

    private <T extends RunFile> List<T> of(RunId run, Function<String, Optional<T>> parser)
            throws IOException {
        List<T> found = new ArrayList<>();
        for (Path path : files(run + "-*")) {
            file(path, parser).ifPresent(found::add);
        }
        return found;
    }

    @Override
    public List<CheckpointPart> writtenBefore(Instant moment) throws IOException {
        return writtenBefore(moment, CheckpointPart::named);
    }

    @Override
    public List<ModelFile> modelsWrittenBefore(Instant moment) throws IOException {
        return writtenBefore(moment, ModelFile::named);
    }

    private <T extends RunFile> List<T> writtenBefore(
            Instant moment, Function<String, Optional<T>> parser) throws IOException {
        List<T> found = new ArrayList<>();
        for (Path path : files("*")) {
            Optional<T> file = file(path, parser);
            if (file.isPresent() && isBefore(path, moment)) {
                found.add(file.get());
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
    private static <T extends RunFile> Optional<T> file(
            Path path, Function<String, Optional<T>> parser) {
        return Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)
                ? parser.apply(path.getFileName().toString())
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
    public void remove(RunFile file) throws IOException {
        Files.deleteIfExists(pathOf(file));
    }
}
