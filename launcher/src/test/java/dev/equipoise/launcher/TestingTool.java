package dev.equipoise.launcher;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Programs of the system that a test uses. */
final class TestingTool {

    private TestingTool() {}

    /**
     * Runs one to its end.
     *
     * @throws AssertionError with what it said, where it fails
     */
    static void run(String... command) throws IOException, InterruptedException {
        var _ = said(Map.of(), command);
    }

    /**
     * What it says, on both of its outputs.
     *
     * @param environment besides that of this process
     * @throws AssertionError with that, where it fails
     */
    static String said(Map<String, String> environment, String... command)
            throws IOException, InterruptedException {
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new AssertionError("%s: %s".formatted(List.of(command), said));
        }
        return said;
    }

    /** Whether it is there and ends well. */
    static boolean succeeds(String... command) {
        return succeeds(Map.of(), command);
    }

    /** The same, in an environment with more than that of this process. */
    static boolean succeeds(Map<String, String> environment, String... command) {
        try {
            var _ = said(environment, command);
            return true;
        } catch (IOException | AssertionError failure) {
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
