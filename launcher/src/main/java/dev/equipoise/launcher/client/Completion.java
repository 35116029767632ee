package dev.equipoise.launcher.client;

import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints the script by which a shell completes commands and options. */
@Command(
        name = "completion",
        description = {
            "Prints a script by which the shell completes commands and options. To use it now:",
            "source <(./equipoise completion bash)"
        },
        mixinStandardHelpOptions = true)
final class Completion implements Callable<Integer> {

    /**
     * Precedes the script in zsh. The script calls compopt, which zsh lacks, by an alias that it
     * defines itself: zsh knows an alias only after it has read the text that 'eval' runs.
     */
    private static final String ZSH_HEADER = "#compdef equipoise\nfunction compopt { :; }\n";

    /** A shell; the script for bash also runs in zsh, where it loads bash's way to complete. */
    enum Shell {
        BASH,
        ZSH;

        /** Returns the name on the command line. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}")
    private Shell shell = Shell.BASH;

    @Spec private @Nullable CommandSpec command;

    @Override
    public Integer call() {
        String script = AutoComplete.bash("equipoise", ScriptCommands.all());
        var out =
                Objects.requireNonNull(command, "picocli sets the command").commandLine().getOut();
        out.print(shell == Shell.ZSH ? ZSH_HEADER + script : script);
        out.println();
        out.flush();
        return ExitStatus.OK;
    }
}
