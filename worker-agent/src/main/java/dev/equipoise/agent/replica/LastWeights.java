package dev.equipoise.agent.replica;

import dev.equipoise.protocol.RunId;
import java.io.IOException;
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
 * Keeps the last good weights of the last few trainings that diverged: the flat vector,
 * little-endian float32, and nothing else.
 */
public record LastWeights(Path folder) {

    private static final int KEPT = 5;

    /** Where the environment wants programs to keep what they made. */
    public static LastWeights fromEnvironment(Map<String, String> environment) {
        String state = environment.getOrDefault("XDG_STATE_HOME", "");
        String home = environment.getOrDefault("HOME", System.getProperty("user.home"));
        Path base = state.isBlank() ? Path.of(home, ".local", "state") : Path.of(state);
        return new LastWeights(base.resolve("equipoise").resolve("weights"));
    }

    /** Where they are, or why they are not, for a message. */
    String keep(RunId run, GoodWeights weights) {
        if (!weights.exist()) {
            return "no weights before it were good";
        }
        Path file = folder.resolve("run-%s.f32".formatted(run));
        try {
            Files.createDirectories(folder);
            forgetOldest();
            write(file, weights.copy());
            return "the last good weights, of %s, are kept in %s"
                    .formatted(weights.position(), file);
        } catch (IOException e) {
            return "the last good weights could not be kept in %s: %s".formatted(file, e);
        }
    }

    /** Makes room, so that runs that diverge one after the other fill no disk. */
    private void forgetOldest() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path old :
                    files.filter(file -> file.toString().endsWith(".f32"))
                            .sorted(Comparator.comparingLong(LastWeights::age))
                            .skip(KEPT - 1)
                            .toList()) {
                Files.deleteIfExists(old);
            }
        }
    }

    /** Youngest first; what is gone meanwhile is oldest. */
    private static long age(Path file) {
        return -file.toFile().lastModified();
    }

    /** Written aside and renamed, so that nobody ever sees half of them. */
    private void write(Path file, MemorySegment parameters) throws IOException {
        Path aside = Files.createTempFile(folder, "weights", ".part");
        try {
            try (FileChannel channel = FileChannel.open(aside, StandardOpenOption.WRITE)) {
                var bytes = parameters.asByteBuffer();
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            }
            Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(aside);
        }
    }
}
