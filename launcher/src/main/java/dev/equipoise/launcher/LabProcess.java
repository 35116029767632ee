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

/** A child process of the lab, whose output goes to a log file. */
final class LabProcess implements AutoCloseable {

    private static final int GRACE_SECONDS = 15;
    private static final long MIN_LOG_BYTES = 64 << 10;

    /** Prefix of the line in which a program of Equipoise says why it ends. */
    private static final String ERROR_PREFIX = "^equipoise[a-z ]*: ";

    /**
     * Shell script that starts a process which ignores Ctrl-C. A terminal sends Ctrl-C to all its
     * processes; only the launcher reacts and stops the others. The process is pinned to a core
     * where {@code taskset} works.
     */
    private static final String IGNORE_CTRL_C =
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
     * @param core the only core that the process may use, or null for any
     * @param secrets environment variables, because other users can read a command line
     */
    static LabProcess start(
            Path home,
            String name,
            Path log,
            @Nullable Integer core,
            List<String> arguments,
            Map<String, String> secrets) {
        List<String> command = new ArrayList<>();
        command.addAll(List.of("sh", "-c", IGNORE_CTRL_C, "sh", core == null ? "" : "" + core));
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
                    "cannot start %s: %s".formatted(name, failure.getMessage()), failure);
        }
    }

    /** Empties the log before the process starts, whose own failure would not name the log. */
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
     * Checks that the process still runs.
     *
     * @throws LabFailure with the last error in the log if the process has ended
     */
    void requireAlive() {
        if (!process.isAlive()) {
            throw new LabFailure(
                    "%s ended with status %d: %s (log: %s)"
                            .formatted(name, process.exitValue(), lastError(), log));
        }
    }

    private String lastError() {
        try {
            List<String> lines = Files.readAllLines(log);
            return lines.stream()
                    .filter(line -> line.matches(ERROR_PREFIX + ".*"))
                    .reduce((_, later) -> later)
                    .map(line -> line.replaceFirst(ERROR_PREFIX, ""))
                    .orElseGet(() -> lines.isEmpty() ? noOutput() : lines.getLast());
        } catch (IOException unreadable) {
            return "cannot read the log: " + unreadable.getMessage();
        }
    }

    private String noOutput() {
        return log.toFile().getUsableSpace() < MIN_LOG_BYTES
                ? "no output, because the disk of the log is full"
                : "no output";
    }

    /**
     * Lowers the priority of the process, of its children and of other processes. They keep their
     * priority if the system refuses, or has no {@code renice}.
     *
     * @param niceness from 0 to 19; 19 yields to everything else
     * @param others processes that are no children of this one, such as its database server
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
                    "equipoise: cannot lower the priority of %s; measured times vary more: %s%n",
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

    /**
     * Returns the threads of a process. On Linux each has its own priority; new threads inherit it.
     */
    private static Stream<String> threadsOf(long pid) {
        String[] threads = Path.of("/proc", "" + pid, "task").toFile().list();
        return threads == null ? Stream.of("" + pid) : Stream.of(threads);
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Asks the process to end; does not wait. */
    void stop() {
        process.destroy();
    }

    /** Asks the process to end, waits, and kills it if it does not. */
    @Override
    public void close() {
        stop();
        try {
            if (!process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
                kill();
            }
        } catch (InterruptedException interrupted) {
            kill();
            Thread.currentThread().interrupt();
        }
    }

    /** Kills the process and its children; the service is a child of a script that restarts it. */
    private void kill() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
