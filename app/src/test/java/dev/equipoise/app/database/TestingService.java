package dev.equipoise.app.database;

import dev.equipoise.testing.Patience;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;

/** Runs the embedded database in its own process, which can be killed. */
final class TestingService implements AutoCloseable {

    private static final String READY = "up";

    private final Process process;

    private TestingService(Process process) {
        this.process = process;
    }

    /** Runs the database until the end of standard input. */
    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[1]);
        try (AutoCloseable _ =
                arguments[0].equals("older")
                        ? trusting(folder)
                        : EmbeddedDatabase.start(folder, new SecureRandom(), Patience.PATIENCE)) {
            System.out.println(READY);
            System.in.transferTo(System.out);
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** Starts PostgreSQL as services did before passwords and the folder lock. */
    static EmbeddedPostgres trusting(Path folder) throws IOException {
        return EmbeddedPostgres.builder()
                .setOverrideWorkingDirectory(folder.resolve("server").toFile())
                .setDataDirectory(folder.resolve("data"))
                .setCleanDataDirectory(false)
                .setRegisterShutdownHook(false)
                .start();
    }

    static TestingService start(Path folder) throws IOException {
        return start("current", folder);
    }

    static TestingService startOlder(Path folder) throws IOException {
        return start("older", folder);
    }

    private static TestingService start(String version, Path folder) throws IOException {
        Process process =
                new ProcessBuilder(
                                List.of(
                                        Path.of(System.getProperty("java.home"), "bin", "java")
                                                .toString(),
                                        "-cp",
                                        System.getProperty("java.class.path"),
                                        TestingService.class.getName(),
                                        version,
                                        folder.toString()))
                        .redirectErrorStream(true)
                        .start();
        TestingService service = new TestingService(process);
        BufferedReader output = process.inputReader();
        List<String> lines = new ArrayList<>();
        for (String line = output.readLine(); !READY.equals(line); line = output.readLine()) {
            if (line == null) {
                throw new IOException("the service ended before it was ready: " + lines);
            }
            lines.add(line);
        }
        return service;
    }

    long pid() {
        return process.pid();
    }

    /** Kills the process before it can stop its server. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        process.onExit().join();
    }
}
