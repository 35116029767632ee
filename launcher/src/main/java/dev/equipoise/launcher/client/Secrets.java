package dev.equipoise.launcher.client;

import dev.equipoise.launcher.LabFailure;
import dev.equipoise.launcher.UsageError;
import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Asks for tokens and passwords: without echo on a terminal, else as a line of standard input.
 * Options would show them to other users of the machine.
 */
final class Secrets {

    private static final int MAX_LENGTH = 1000;

    private Secrets() {}

    /**
     * Returns the secret.
     *
     * @param what name of the secret, as a prompt
     * @throws UsageError if there is none, or it is too long for one
     */
    static String read(String what) {
        String secret =
                Optional.ofNullable(System.console())
                        .filter(Console::isTerminal)
                        .map(terminal -> typed(terminal.readPassword("%s: ", what)))
                        .orElseGet(Secrets::line);
        if (secret.isEmpty() || secret.length() > MAX_LENGTH) {
            throw new UsageError(
                    "the %s must be on the first line of standard input, with at most %d characters"
                            .formatted(what, MAX_LENGTH));
        }
        return secret;
    }

    private static String typed(char @Nullable [] secret) {
        return secret == null ? "" : new String(secret).strip();
    }

    private static String line() {
        var input = new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset()));
        try {
            String line = input.readLine();
            return line == null ? "" : line.strip();
        } catch (IOException failure) {
            throw new LabFailure(
                    "standard input cannot be read: " + LabFailure.reason(failure), failure);
        }
    }
}
