package dev.equipoise.launcher;

import dev.equipoise.testing.Patience;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A command that runs beside a test; closing it kills the process and its descendants. */
final class TestingProcess implements AutoCloseable {

    private final List<String> command;
    private final Process process;
    private final BufferedReader output;

    TestingProcess(List<String> command, Process process) {
        this.command = command;
        this.process = process;
        this.output = process.inputReader();
    }

    /**
     * Returns the first group of the first line that matches.
     *
     * @throws AssertionError if the process ends, or is killed by the watchdog, before such a line
     */
    String awaitLine(String pattern) throws IOException {
        Pattern wanted = Pattern.compile(pattern);
        CompletableFuture<Void> watchdog = watchdog();
        try {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                Matcher matcher = wanted.matcher(line);
                if (matcher.find()) {
                    return matcher.group(1);
                }
            }
        } finally {
            watchdog.cancel(false);
        }
        throw new AssertionError("%s ended without a line %s".formatted(command, pattern));
    }

    /** Reads the rest of the output and waits for the end. */
    TestingCommand.Ended awaitExit() throws InterruptedException {
        CompletableFuture<Void> watchdog = watchdog();
        try {
            String rest = output.lines().map(it -> it + "\n").collect(Collectors.joining());
            return new TestingCommand.Ended(process.waitFor(), rest);
        } finally {
            watchdog.cancel(false);
        }
    }

    /** Kills a process that hangs, so that it fails one test and does not stop the build. */
    private CompletableFuture<Void> watchdog() {
        Executor delayed =
                CompletableFuture.delayedExecutor(Patience.FOR_A_RUN.toSeconds(), TimeUnit.SECONDS);
        return CompletableFuture.runAsync(() -> kill(processTree()), delayed);
    }

    /** Asks the process to end, as Ctrl-C or a service manager does. */
    void stop() {
        // Process.destroy() would close the output, which a test still reads.
        process.toHandle().destroy();
    }

    /** Sends a signal, such as {@code HUP}, which a closed terminal sends. */
    void signal(String name) throws IOException, InterruptedException {
        TestingTool.run("kill", "-" + name, String.valueOf(process.pid()));
    }

    int waitFor() throws InterruptedException {
        return process.waitFor();
    }

    List<ProcessHandle> descendants() {
        return process.descendants().toList();
    }

    private List<ProcessHandle> processTree() {
        return Stream.concat(Stream.of(process.toHandle()), process.descendants()).toList();
    }

    private static void kill(List<ProcessHandle> processes) {
        processes.forEach(ProcessHandle::destroyForcibly);
    }

    @Override
    public void close() {
        List<ProcessHandle> processes = processTree();
        stop();
        process.onExit().completeOnTimeout(process, Patience.SECONDS, TimeUnit.SECONDS).join();
        kill(processes);
    }
}
