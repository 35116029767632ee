package dev.equipoise.agent.dataset;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs an external program for at most 10 minutes in a temporary folder. */
final class ExternalProgram {
    private static final long MAX_MINUTES = 10;
    private static final int MAX_SHOWN_CHARACTERS = 1000;

    private ExternalProgram() {}

    /** Action in a temporary folder. */
    interface Work {
        void in(Path folder) throws IOException;
    }

    static void inTemporaryFolder(Work work) throws IOException {
        Path folder = Files.createTempDirectory("equipoise-dataset");
        try {
            work.in(folder);
        } finally {
            delete(folder);
        }
    }

    static void run(Path folder, List<String> command) throws IOException {
        Path log = Files.createTempFile(folder, "command", ".log");
        Process process =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        String name = command.getFirst();
        try {
            if (!process.waitFor(MAX_MINUTES, TimeUnit.MINUTES)) {
                throw new IOException(
                        "%s did not end within %d minutes".formatted(name, MAX_MINUTES));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while %s ran".formatted(name));
        } finally {
            process.destroyForcibly();
        }
        if (process.exitValue() != 0) {
            throw new IOException(
                    "%s ended with status %d: %s".formatted(name, process.exitValue(), tail(log)));
        }
    }

    private static String tail(Path log) throws IOException {
        String text = Files.readString(log).strip();
        return text.substring(Math.max(0, text.length() - MAX_SHOWN_CHARACTERS));
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
