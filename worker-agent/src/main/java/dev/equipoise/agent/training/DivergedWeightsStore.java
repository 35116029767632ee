package dev.equipoise.agent.training;

import dev.equipoise.protocol.PrivateFolder;
import dev.equipoise.protocol.RunId;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Stores the last finite weights of the latest diverged trainings, each as a file with the flat
 * parameter vector in little-endian float32 and nothing else.
 */
public record DivergedWeightsStore(Path folder) {

    private static final int MAX_FILES = 5;

    /** Creates the store in {@code XDG_STATE_HOME}, or in its default. */
    public static DivergedWeightsStore fromEnvironment(Map<String, String> environment) {
        String state = environment.getOrDefault("XDG_STATE_HOME", "");
        String home = environment.getOrDefault("HOME", System.getProperty("user.home"));
        Path base = state.isBlank() ? Path.of(home, ".local", "state") : Path.of(state);
        return new DivergedWeightsStore(base.resolve("equipoise").resolve("weights"));
    }

    /**
     * Creates a keeper of weights, which stores the last finite ones here if the training diverges.
     *
     * @param memory holds the copy of the weights; must outlive the keeper
     */
    public LastFiniteWeights lastFiniteWeights(RunId run, int parameterCount, Arena memory) {
        return new LastFiniteWeights(parameterCount, memory, (_, weights) -> keep(run, weights));
    }

    /** Stores the weights; returns the file or the reason of a failure, for a message. */
    String keep(RunId run, LastFiniteWeights weights) {
        if (!weights.exist()) {
            return "no earlier weights had a finite loss";
        }
        Path file = folder.resolve("run-%s.f32".formatted(run));
        try {
            PrivateFolder.create(folder);
            deleteOldest();
            write(file, weights.copy());
            return "the last weights with a finite loss, of %s, are stored in %s"
                    .formatted(weights.position(), file);
        } catch (IOException e) {
            return "the last weights with a finite loss could not be stored in %s: %s"
                    .formatted(file, e);
        }
    }

    /**
     * Deletes the oldest files, so that runs that diverge one after the other do not fill the disk.
     */
    private void deleteOldest() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path old :
                    files.filter(file -> file.toString().endsWith(".f32"))
                            .sorted(Comparator.comparingLong(DivergedWeightsStore::age))
                            .skip(MAX_FILES - 1)
                            .toList()) {
                Files.deleteIfExists(old);
            }
        }
    }

    /** Sorts the newest file first, and a file that has vanished meanwhile last. */
    private static long age(Path file) {
        return -file.toFile().lastModified();
    }

    /** Writes to a temporary file and renames it, so that no reader sees a partial file. */
    private void write(Path file, MemorySegment parameters) throws IOException {
        Path temporary = Files.createTempFile(folder, "weights", ".part");
        try {
            try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
                var bytes = parameters.asByteBuffer();
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            }
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }
}
