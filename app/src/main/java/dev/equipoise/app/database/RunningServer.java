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

/** A PostgreSQL server at work on a data folder, whoever started it. */
record RunningServer(ProcessHandle process) {

    private static final Logger log = LoggerFactory.getLogger(RunningServer.class);

    /** The server writes here its process number and, in the next line, its data folder. */
    private static final String FILE = "postmaster.pid";

    /** No system gives a process this number. */
    private static final String NOBODY = String.valueOf(Integer.MAX_VALUE);

    /** The server that the folder names as its own, if it lives. */
    static Optional<RunningServer> on(Path data) throws IOException {
        List<String> lines = lines(data);
        return lines.size() > 1 && isSame(Path.of(lines.get(1)), data)
                ? named(lines).filter(it -> isPostgres(it, false)).map(RunningServer::new)
                : Optional.empty();
    }

    /**
     * Strikes out the process number of a dead server where another program has it now.
     *
     * <p>PostgreSQL asks only whether a process of that number lives, and does not start if one
     * does; in containers, which begin to count anew, that is the rule after a crash. The file's
     * other lines stay: by them the server finds memory that is still in use.
     */
    static void forgetStranger(Path data) throws IOException {
        List<String> lines = lines(data);
        if (named(lines).filter(it -> !isPostgres(it, true)).isPresent()) {
            PrivateFile.write(
                    data.resolve(FILE),
                    NOBODY + "\n" + String.join("\n", lines.subList(1, lines.size())) + "\n");
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

    /** The system adds a word to the command of a program that was deleted since. */
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
     * Stops the server on the folder, if there is one; for a service that has the folder to itself,
     * so that nobody else can need it.
     *
     * @throws IOException also if it still runs after the timeout
     */
    static void stopOn(Path data, Duration timeout) throws IOException {
        Optional<RunningServer> server = on(data);
        if (server.isPresent()) {
            server.get().stop(timeout);
            log.warn("stopped PostgreSQL (process {}), left on {}", server.get().number(), data);
        }
    }

    private long number() {
        return process.pid();
    }

    /** Ends its sessions, lets it write what it holds, and waits until it is gone. */
    private void stop(Duration timeout) throws IOException {
        try {
            // Java can only send TERM, on which the server would wait for its sessions to end.
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
                    "PostgreSQL (process %d), left there by a service that is gone, did not stop within %s; equipoise.database.start-timeout allows more"
                            .formatted(number(), timeout),
                    failure);
        }
    }
}
