package dev.equipoise.launcher.context;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The file with the contexts of a user. Only the user can read it (mode 600), and its folder (mode
 * 700). Failures are {@link UncheckedIOException}s, whose messages are sentences for the user.
 */
public record ContextFile(Path path) {

    private static final int MAX_BYTES = 1 << 20;
    private static final JsonMapper JSON = JsonMapper.builder().build();

    /**
     * Returns the file {@code equipoise/contexts.json} below {@code $XDG_CONFIG_HOME}, or below
     * {@code ~/.config}.
     */
    public static ContextFile ofUser(Map<String, String> environment) {
        String xdg = environment.getOrDefault("XDG_CONFIG_HOME", "");
        Path base =
                xdg.isBlank() ? Path.of(System.getProperty("user.home"), ".config") : Path.of(xdg);
        return new ContextFile(base.resolve("equipoise").resolve("contexts.json"));
    }

    /** Returns the contexts; none if there is no file. */
    public Contexts read() {
        try {
            if (!Files.exists(path)) {
                return Contexts.NONE;
            }
            if (Files.size(path) > MAX_BYTES) {
                throw new IOException("it has more than %d bytes".formatted(MAX_BYTES));
            }
            return JSON.readValue(Files.readAllBytes(path), Contexts.class);
        } catch (IOException failure) {
            throw failed("read", failure);
        } catch (JacksonException malformed) {
            throw failed(
                    "read",
                    new IOException("it is damaged; delete it, and log in again", malformed));
        }
    }

    /** Replaces the file as a whole, so that a reader never finds a part of it. */
    public void write(Contexts contexts) {
        try {
            Path folder = path.toAbsolutePath().getParent();
            if (folder == null) {
                throw new IOException("it is no file");
            }
            Files.createDirectories(folder);
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
            replace(folder, JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(contexts));
        } catch (IOException failure) {
            throw failed("write", failure);
        }
    }

    /** Leaves no copy of the tokens behind if it fails. */
    private void replace(Path folder, byte[] contexts) throws IOException {
        Path written = Files.createTempFile(folder, "contexts", ".json");
        try {
            Files.setPosixFilePermissions(written, PosixFilePermissions.fromString("rw-------"));
            Files.write(written, contexts);
            Files.move(written, path, ATOMIC_MOVE, REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(written);
        }
    }

    private UncheckedIOException failed(String action, IOException failure) {
        return new UncheckedIOException(
                "cannot %s the contexts in %s: %s".formatted(action, path, reason(failure)),
                failure);
    }

    private static String reason(IOException failure) {
        return failure instanceof AccessDeniedException
                ? "permission denied"
                : String.valueOf(failure.getMessage());
    }
}
