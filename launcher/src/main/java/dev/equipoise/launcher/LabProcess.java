package dev.equipoise.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A process of the laboratory, whose output goes to a log file. */
final class LabProcess implements AutoCloseable {

    private static final int GRACE_SECONDS = 15;
    private static final long ROOM_FOR_WORDS = 64 << 10;

    /** How our programs begin the sentence in which they say why they end. */
    private static final String LAST_WORDS = "^equipoise[a-z ]*: ";

    /**
     * Ctrl-C reaches every process of a terminal; only the launcher heeds it and stops the rest.
     * Where the system cannot tie a process to a core, the process goes untied.
     */
    private static final String HEEDLESS =
            """
            trap '' INT
            core=$1
            shift
            if [ -n "$core" ] && taskset -c "$core" true 2>/dev/null; then
                exec taskset -c "$core" "$@"
            fi
            exec "$@"
            """;

    private final String name;
    private final Path log;
    private final Process process;

    private LabProcess(String name, Path log, Process process) {
        this.name = name;
        this.log = log;
        this.process = process;
    }

    /**
     * Starts {@code ./equipoise} with the arguments.
     *
     * @param core the only one that the process may use, or null for any
     * @param secrets environment variables, because others can read a command line
     */
    static LabProcess start(
            Path home,
            String name,
            Path log,
            @Nullable Integer core,
            List<String> arguments,
            Map<String, String> secrets) {
        List<String> command = new ArrayList<>();
        command.addAll(List.of("sh", "-c", HEEDLESS, "sh", core == null ? "" : "" + core));
        command.add(home.resolve("equipoise").toString());
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(secrets);
        builder.environment().put("EQUIPOISE_BUILT", "yes");
        builder.redirectErrorStream(true).redirectOutput(log.toFile());
        builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
        makeEmpty(log);
        try {
            return new LabProcess(name, log, builder.start());
        } catch (IOException failure) {
            throw new LabFailure(
                    "%s cannot be started: %s".formatted(name, failure.getMessage()), failure);
        }
    }

    /** Before the process is started, whose failure would not say that the log is the matter. */
    private static void makeEmpty(Path log) {
        try {
            Files.createDirectories(log.getParent());
            Files.writeString(log, "");
        } catch (IOException failure) {
            throw new LabFailure(
                    "the log %s cannot be written: %s".formatted(log, LabFailure.reason(failure)),
                    failure);
        }
    }

    /**
     * Passes if the process is still there.
     *
     * @throws LabFailure with its last words otherwise
     */
    void requireAlive() {
        if (!process.isAlive()) {
            throw new LabFailure(
                    "%s ended with status %d: %s (log: %s)"
                            .formatted(name, process.exitValue(), lastWords(), log));
        }
    }

    private String lastWords() {
        try {
            List<String> lines = Files.readAllLines(log);
            return lines.stream()
                    .filter(line -> line.matches(LAST_WORDS + ".*"))
                    .reduce((_, later) -> later)
                    .map(line -> line.replaceFirst(LAST_WORDS, ""))
                    .orElseGet(() -> lines.isEmpty() ? silence() : lines.getLast());
        } catch (IOException unreadable) {
            return "its log cannot be read: " + unreadable.getMessage();
        }
    }

    private String silence() {
        return log.toFile().getUsableSpace() < ROOM_FOR_WORDS
                ? "it said nothing, as the disk of its log is full"
                : "it said nothing";
    }

    /**
     * Lowers the priority of the process, of its children and of other processes. Where the system
     * refuses, or has no {@code renice}, they keep their priority.
     *
     * @param niceness from 0 to 19; 19 gives way to everything else
     * @param others that belong to it without being its children, such as a database server
     */
    void lowerPriority(int niceness, Stream<ProcessHandle> others) {
        List<String> command = new ArrayList<>(List.of("renice", "-n", "" + niceness, "-p"));
        command.addAll(threads(others));
        try {
            Process renice =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
            renice.waitFor();
        } catch (IOException missing) {
            System.err.printf(
                    "equipoise: %s keeps its priority, so measured times vary more: %s%n",
                    name, missing.getMessage());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private List<String> threads(Stream<ProcessHandle> others) {
        Stream<ProcessHandle> own =
                Stream.concat(Stream.of(process.toHandle()), process.descendants());
        return Stream.concat(own, others).flatMap(each -> threadsOf(each.pid())).toList();
    }

    /** On Linux each thread has a priority of its own, which the threads that it starts inherit. */
    private static Stream<String> threadsOf(long pid) {
        String[] threads = Path.of("/proc", "" + pid, "task").toFile().list();
        return threads == null ? Stream.of("" + pid) : Stream.of(threads);
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Asks it to end. */
    void stop() {
        process.destroy();
    }

    /** Waits for its end, and makes one if it does not come. */
    @Override
    public void close() {
        stop();
        try {
            if (!process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
