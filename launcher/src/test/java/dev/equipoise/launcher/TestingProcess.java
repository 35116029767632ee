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

/** A command that runs beside a test. Closing it ends the process and all that it has started. */
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
     * The first group of the first line that matches.
     *
     * @throws AssertionError if the process ends, or is killed for its silence, before such a line
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

    /** So that a process which hangs fails one test instead of stopping the build. */
    private CompletableFuture<Void> watchdog() {
        Executor later =
                CompletableFuture.delayedExecutor(Patience.FOR_A_RUN.toSeconds(), TimeUnit.SECONDS);
        return CompletableFuture.runAsync(() -> kill(family()), later);
    }

    /** Asks the process to end, as Ctrl-C or a service manager does. */
    void stop() {
        // The process itself would close its output, which a test still wants to read.
        process.toHandle().destroy();
    }

    int waitFor() throws InterruptedException {
        return process.waitFor();
    }

    List<ProcessHandle> descendants() {
        return process.descendants().toList();
    }

    private List<ProcessHandle> family() {
        return Stream.concat(Stream.of(process.toHandle()), process.descendants()).toList();
    }

    private static void kill(List<ProcessHandle> processes) {
        processes.forEach(ProcessHandle::destroyForcibly);
    }

    @Override
    public void close() {
        List<ProcessHandle> family = family();
        stop();
        process.onExit().completeOnTimeout(process, Patience.SECONDS, TimeUnit.SECONDS).join();
        kill(family);
    }
}
