package dev.equipoise.launcher.client;

import dev.equipoise.launcher.LabFailure;
import dev.equipoise.launcher.UsageError;
import java.io.Console;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Asks before a command does what cannot be undone. */
final class Confirmation {

    @Option(
            names = {"-y", "--yes"},
            description =
                    "do not ask; without this option the command asks if standard input and"
                            + " standard output are a terminal, not in a pipe")
    private boolean yes;

    /**
     * Asks once, if standard input and standard output are a terminal, as scripts cannot answer.
     *
     * @param question what the command would do
     * @throws LabFailure if the answer is not yes
     */
    void require(String question) {
        if (!yes) {
            terminal().ifPresent(it -> ask(it, question));
        }
    }

    /**
     * Asks once before a change of resources that the command line does not name.
     *
     * @param question what the command would do
     * @throws UsageError if there is no terminal to ask at, and no option that makes it unneeded
     * @throws LabFailure if the answer is not yes
     */
    void requireAnswer(String question) {
        if (yes) {
            return;
        }
        Console terminal =
                terminal()
                        .orElseThrow(() ->
                                new UsageError(
                                        "this needs --yes, as there is no terminal to ask: "
                                                + question));
        ask(terminal, question);
    }

    private static Optional<Console> terminal() {
        return Optional.ofNullable(System.console()).filter(Console::isTerminal);
    }

    private static void ask(Console terminal, String question) {
        String answer = terminal.readLine("%s [y/N] ", question);
        if (answer == null || !answer.strip().toLowerCase(Locale.ROOT).matches("y|yes")) {
            throw new LabFailure("nothing was changed");
        }
    }
}
