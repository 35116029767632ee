package dev.equipoise.launcher;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Programs of the system that a test uses. */
final class TestingTool {

    private TestingTool() {}

    /**
     * Runs one to its end.
     *
     * @throws AssertionError with what it said, where it fails
     */
    static void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new AssertionError("%s: %s".formatted(List.of(command), said));
        }
    }

    /** Whether it is there and ends well. */
    static boolean succeeds(String... command) {
        try {
            run(command);
            return true;
        } catch (IOException | AssertionError failure) {
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
