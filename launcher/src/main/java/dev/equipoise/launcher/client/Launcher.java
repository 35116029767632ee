package dev.equipoise.launcher.client;

import dev.equipoise.launcher.Demo;
import dev.equipoise.launcher.LabFailure;
import dev.equipoise.launcher.Plan;
import dev.equipoise.launcher.Results;
import dev.equipoise.launcher.Run;
import dev.equipoise.launcher.Up;
import dev.equipoise.launcher.UsageError;
import dev.equipoise.launcher.interrupt.BrokenPipe;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Entry point of the commands of {@code ./equipoise} that are written in Java. */
@Command(
        name = "equipoise",
        subcommands = {
            Demo.class,
            Run.class,
            Plan.class,
            Results.class,
            Up.class,
            Login.class,
            Logout.class,
            Open.class,
            ContextCommands.class,
            ProjectCommands.class,
            ExperimentCommands.class,
            RunCommands.class,
            Compare.class,
            WorkerCommands.class,
            TokenCommands.class,
            JoinTokenCommands.class,
            WebhookCommands.class,
            PresetCommands.class,
            SchemaCommands.class,
            Completion.class,
            ManPage.class
        },
        mixinStandardHelpOptions = true)
final class Launcher {

    private Launcher() {}

    public static void main(String[] arguments) {
        BrokenPipe.watch();
        int status = commandLine().execute(arguments);
        System.exit(BrokenPipe.status(status));
    }

    static CommandLine commandLine() {
        CommandLine commandLine = new CommandLine(new Launcher());
        // The writer of picocli does not tell that a write to System.out has failed.
        commandLine.setOut(new PrintWriter(System.out, true, System.out.charset()));
        CommandVersion.provide(commandLine);
        commandLine.setExecutionExceptionHandler((failure, line, _) -> {
            if (!BrokenPipe.isFound()) {
                sentences(failure).forEach(it -> line.getErr().println("equipoise: " + it));
            }
            return failure instanceof UsageError ? ExitStatus.USAGE : ExitStatus.FAILED;
        });
        commandLine.setParameterExceptionHandler((mistake, _) -> {
            CommandLine line = mistake.getCommandLine();
            line.getErr().println("equipoise: " + mistake.getMessage());
            line.getErr()
                    .printf("%s --help lists the options%n", line.getCommandSpec().qualifiedName());
            return line.getCommandSpec().exitCodeOnInvalidInput();
        });
        return commandLine;
    }

    private static List<String> sentences(Exception failure) {
        return switch (failure) {
            case UsageError wrong -> wrong.sentences();
            case LabFailure known -> List.of(String.valueOf(known.getMessage()));
            case UncheckedIOException known -> List.of(String.valueOf(known.getMessage()));
            default -> List.of(failure.getClass().getSimpleName() + ": " + failure.getMessage());
        };
    }
}
