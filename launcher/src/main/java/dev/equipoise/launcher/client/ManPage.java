package dev.equipoise.launcher.client;

import static java.util.stream.Collectors.joining;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Spec;

/**
 * Prints the manual page of all commands, in the macros of {@code man(7)}. picocli's own generator
 * writes AsciiDoc, which needs Asciidoctor to become a page.
 */
@Command(
        name = "man",
        description = {
            "Prints the manual page of all commands. To read it:",
            "./equipoise man | man -l -"
        },
        mixinStandardHelpOptions = true)
final class ManPage implements Callable<Integer> {

    private static final String HEAD =
            """
            .TH EQUIPOISE 1
            .SH NAME
            equipoise \\- train on machines of unequal speed, and compare the runs
            .SH SYNOPSIS
            .B equipoise
            .I COMMAND
            .RI [ OPTIONS ]
            """;

    private static final String FOOT =
            """
            .SH EXIT STATUS
            .TP
            0
            The command has done what it was asked for.
            .TP
            1
            The service, a run or the machine failed; a sentence on standard error tells why.
            .TP
            2
            The command line or a definition is wrong.
            .TP
            128 and the number of a signal
            The signal ended the command: 129 for a closed terminal, 130 for Ctrl\\-C, 141 for
            an output whose reader has ended.
            .SH ENVIRONMENT
            .TP
            EQUIPOISE_URL, EQUIPOISE_TOKEN
            The service and its token, if no option names them.
            .TP
            EQUIPOISE_CA
            File with certificate authorities of an https service, if no option or context names
            one.
            .TP
            XDG_CONFIG_HOME
            Folder of the contexts; ~/.config if it is not set.
            .SH FILES
            .TP
            $XDG_CONFIG_HOME/equipoise/contexts.json
            Services and tokens of 'login', readable by you alone.
            """;

    @Spec private @Nullable CommandSpec command;

    @Override
    public Integer call() {
        var out =
                Objects.requireNonNull(command, "picocli sets the command").commandLine().getOut();
        out.print(text(ScriptCommands.all()));
        out.flush();
        return ExitStatus.OK;
    }

    static String text(CommandLine line) {
        return HEAD + ".SH COMMANDS\n" + commands(line) + FOOT;
    }

    /** Describes the commands below one, each with those below it. */
    private static String commands(CommandLine line) {
        return line.getSubcommands().values().stream()
                .map(it -> command(it.getCommandSpec()) + commands(it))
                .collect(joining());
    }

    private static String command(CommandSpec command) {
        String parameters =
                command.positionalParameters().stream()
                        .map(it -> " " + it.paramLabel() + (it.arity().max() > 1 ? "..." : ""))
                        .collect(joining());
        return ".SS %s\n%s\n%s"
                .formatted(
                        escaped(command.qualifiedName() + parameters),
                        text(List.of(command.usageMessage().description())),
                        arguments(command));
    }

    private static String arguments(CommandSpec command) {
        return Stream.concat(
                        command.positionalParameters().stream()
                                .map(it -> argument(it.paramLabel(), it)),
                        command.options().stream()
                                .filter(it -> !it.usageHelp() && !it.versionHelp())
                                .map(it -> argument(name(it), it)))
                .collect(joining());
    }

    private static String argument(String name, ArgSpec argument) {
        return ".TP\n.B %s\n%s\n"
                .formatted(escaped(name), text(Arrays.asList(argument.description())));
    }

    private static String name(OptionSpec option) {
        String value = option.arity().max() > 0 ? " " + option.paramLabel() : "";
        return String.join(", ", option.names()) + value;
    }

    private static String text(List<String> lines) {
        return lines.stream().map(it -> escaped(it.replace("%%", "%"))).collect(joining("\n"));
    }

    /** Escapes what roff would read as a request, and keeps hyphens as they are typed. */
    private static String escaped(String text) {
        return text.replace("\\", "\\e").replace("-", "\\-").replaceAll("(?m)^([.'])", "\\\\&$1");
    }
}
