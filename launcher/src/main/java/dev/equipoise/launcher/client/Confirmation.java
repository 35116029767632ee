package dev.equipoise.launcher.client;

import dev.equipoise.launcher.LabFailure;
import java.io.Console;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Asks before a command does what cannot be undone. */
final class Confirmation {

    @Option(
            names = {"-y", "--yes"},
            description = "do not ask on a terminal")
    private boolean yes;

    /**
     * Asks once, on a terminal alone.
     *
     * @param question what the command would do
     * @throws LabFailure if the answer is not yes
     */
    void require(String question) {
        if (!yes) {
            Optional.ofNullable(System.console())
                    .filter(Console::isTerminal)
                    .ifPresent(it -> ask(it, question));
        }
    }

    private static void ask(Console terminal, String question) {
        String answer = terminal.readLine("%s [y/N] ", question);
        if (answer == null || !answer.strip().toLowerCase(Locale.ROOT).matches("y|yes")) {
            throw new LabFailure("nothing was changed");
        }
    }
}
