package dev.equipoise.agent.replica;

import dev.equipoise.protocol.RunId;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;

/**
 * Keeps the last good weights of a training that diverged: the flat vector, little-endian float32,
 * and nothing else.
 */
public record LastWeights(Path folder) {

    /** Where the environment wants programs to keep what they made. */
    public static LastWeights fromEnvironment(Map<String, String> environment) {
        String state = environment.getOrDefault("XDG_STATE_HOME", "");
        String home = environment.getOrDefault("HOME", System.getProperty("user.home"));
        Path base = state.isBlank() ? Path.of(home, ".local", "state") : Path.of(state);
        return new LastWeights(base.resolve("equipoise").resolve("weights"));
    }

    /** Where they are, or why they are not, for a message. */
    String keep(RunId run, int epoch, int round, MemorySegment parameters) {
        Path file = folder.resolve("run-%s-epoch-%d-round-%d.f32".formatted(run, epoch, round));
        try {
            Files.createDirectories(folder);
            write(file, parameters);
            return "the weights before it are kept in " + file;
        } catch (IOException e) {
            return "the weights before it could not be kept in %s: %s".formatted(file, e);
        }
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
