package dev.equipoise.app.database;

import dev.equipoise.app.file.PrivateFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running PostgreSQL server on a data folder, started by any process. */
record RunningServer(ProcessHandle process) {

    private static final Logger log = LoggerFactory.getLogger(RunningServer.class);

    /**
     * The file in which the server writes its process number and, on the next line, its data
     * folder.
     */
    private static final String FILE = "postmaster.pid";

    /** A number that no system gives to a process. */
    private static final String NO_PROCESS = String.valueOf(Integer.MAX_VALUE);

    /** Returns the server that the folder's file names, if it is alive. */
    static Optional<RunningServer> on(Path data) throws IOException {
        List<String> lines = lines(data);
        return lines.size() > 1 && isSame(Path.of(lines.get(1)), data)
                ? named(lines).filter(it -> isPostgres(it, false)).map(RunningServer::new)
                : Optional.empty();
    }

    boolean isAlive() {
        return process.isAlive() && isPostgres(process, true);
    }

    /**
     * Returns the program that starts and stops servers of this version, {@code pg_ctl}; empty if
     * the system does not tell where the server's own program is.
     */
    Optional<Path> control() {
        return process.info().command().map(command -> Path.of(command).resolveSibling("pg_ctl"));
    }

    /**
     * Erases the process number of a dead server if another program now has that number.
     *
     * <p>PostgreSQL checks only whether a process with that number is alive, and does not start if
     * one is; in containers, which number processes from 1 again, this is usual after a crash. The
     * other lines of the file stay: by them the server finds shared memory that is still in use.
     */
    static void eraseReusedProcessNumber(Path data) throws IOException {
        List<String> lines = lines(data);
        if (named(lines).filter(it -> !isPostgres(it, true)).isPresent()) {
            PrivateFile.write(
                    data.resolve(FILE),
                    NO_PROCESS + "\n" + String.join("\n", lines.subList(1, lines.size())) + "\n");
        }
    }

    private static List<String> lines(Path data) throws IOException {
        Path file = data.resolve(FILE);
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    private static Optional<ProcessHandle> named(List<String> lines) {
        return lines.stream()
                .limit(1)
                .map(String::strip)
                .filter(line -> line.matches("\\d{1,10}"))
                .findFirst()
                .flatMap(number -> ProcessHandle.of(Long.parseLong(number)));
    }

    /**
     * Compares the start of the program's name, since the system appends a word to the command of a
     * program that has been deleted.
     */
    private static boolean isPostgres(ProcessHandle process, boolean ifUnknown) {
        return process.info()
                .command()
                .map(command -> Path.of(command).getFileName().toString().startsWith("postgres"))
                .orElse(ifUnknown);
    }

    private static boolean isSame(Path named, Path data) throws IOException {
        return Files.exists(named) && Files.isSameFile(named, data);
    }

    /**
     * Stops the server on the folder, if there is one. The caller must have the folder to itself,
     * so that nobody else needs the server.
     *
     * @throws IOException also if the server still runs after the timeout
     */
    static void stopOn(Path data, Duration timeout) throws IOException {
        Optional<RunningServer> server = on(data);
        if (server.isPresent()) {
            server.get().stop(timeout);
            log.warn(
                    "stopped PostgreSQL (process {}), which an earlier service left running on {}",
                    server.get().number(),
                    data);
        }
    }

    private long number() {
        return process.pid();
    }

    /** Ends the server's sessions, lets it write its buffers, and waits until it has exited. */
    private void stop(Duration timeout) throws IOException {
        try {
            // Java can only send SIGTERM, on which the server would wait for its sessions to end.
            new ProcessBuilder("sh", "-c", "kill -INT " + number())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
            process.onExit().get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException(
                    "interrupted while PostgreSQL (process %d) stopped".formatted(number()),
                    interrupted);
        } catch (ExecutionException | TimeoutException failure) {
            throw new IOException(
                    "PostgreSQL (process %d), which an earlier service left running, did not stop within %s; increase equipoise.database.start-timeout"
                            .formatted(number(), timeout),
                    failure);
        }
    }
}
