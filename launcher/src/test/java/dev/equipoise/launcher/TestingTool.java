package dev.equipoise.launcher;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Runs programs of the system that tests use. */
final class TestingTool {

    private TestingTool() {}

    /**
     * Runs a program to its end.
     *
     * @throws AssertionError with its output if it fails
     */
    static void run(String... command) throws IOException, InterruptedException {
        var _ = output(Map.of(), command);
    }

    /**
     * Runs a program and returns both of its outputs.
     *
     * @param environment variables in addition to those of this process
     * @throws AssertionError with the output if it fails
     */
    static String output(Map<String, String> environment, String... command)
            throws IOException, InterruptedException {
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new AssertionError("%s: %s".formatted(List.of(command), output));
        }
        return output;
    }

    /** Returns whether a program exists and succeeds. */
    static boolean succeeds(String... command) {
        return succeeds(Map.of(), command);
    }

    /** Returns whether a program exists and succeeds with additional environment variables. */
    static boolean succeeds(Map<String, String> environment, String... command) {
        try {
            var _ = output(environment, command);
            return true;
        } catch (IOException | AssertionError failure) {
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
