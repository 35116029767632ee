package dev.equipoise.app;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

/**
 * PostgreSQL run by this process from the binaries on its class path, for a laboratory without a
 * database of its own. It listens on the loopback interface alone, on a free port.
 */
final class EmbeddedDatabase implements JdbcConnectionDetails, AutoCloseable {

    private static final String NAME = "postgres";

    private final EmbeddedPostgres postgres;

    private EmbeddedDatabase(EmbeddedPostgres postgres) {
        this.postgres = postgres;
    }

    /**
     * Starts a server on the data that the folder holds, or on new data.
     *
     * @throws DatabaseUnavailable with the reason
     */
    static EmbeddedDatabase start(Path folder) {
        try {
            Files.createDirectories(folder);
            return new EmbeddedDatabase(
                    EmbeddedPostgres.builder()
                            .setOverrideWorkingDirectory(folder.resolve("server").toFile())
                            .setDataDirectory(folder.resolve("data"))
                            .setCleanDataDirectory(false)
                            // Stopped with the context, after those who use it.
                            .setRegisterShutdownHook(false)
                            .setPGStartupWait(Duration.ofSeconds(60))
                            .start());
        } catch (IOException | IllegalStateException failure) {
            throw new DatabaseUnavailable(
                    "the embedded PostgreSQL did not start in %s: %s"
                            .formatted(folder, reason(folder, failure)),
                    failure);
        }
    }

    /** The server's own words go to its log; the usual causes can be told from here. */
    private static String reason(Path folder, Exception failure) {
        long free = folder.toFile().getUsableSpace();
        if (free < 100L << 20) {
            return "the disk has only %d MiB left".formatted(free >> 20);
        }
        if (Files.exists(folder.resolve("data/postmaster.pid"))) {
            return "another service seems to run on this folder (postmaster.pid is there)";
        }
        return String.valueOf(failure.getMessage());
    }

    @Override
    public String getJdbcUrl() {
        return postgres.getJdbcUrl(NAME, NAME);
    }

    @Override
    public String getUsername() {
        return NAME;
    }

    @Override
    public String getPassword() {
        return "";
    }

    @Override
    public void close() throws IOException {
        postgres.close();
    }
}
