package dev.equipoise.launcher;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Entry point of the commands of {@code ./equipoise} that start a lab on this machine. */
@Command(
        name = "equipoise",
        subcommands = {Demo.class, Run.class, Plan.class, Results.class, Up.class},
        mixinStandardHelpOptions = true)
final class Launcher {

    private static final int FAILURE_STATUS = 1;
    private static final int USAGE_STATUS = 2;

    private Launcher() {}

    public static void main(String[] arguments) {
        CommandLine commandLine = new CommandLine(new Launcher());
        CommandVersion.provide(commandLine);
        commandLine.setExecutionExceptionHandler((failure, line, _) -> {
            sentences(failure).forEach(it -> line.getErr().println("equipoise: " + it));
            return failure instanceof UsageError ? USAGE_STATUS : FAILURE_STATUS;
        });
        commandLine.setParameterExceptionHandler((mistake, _) -> {
            CommandLine line = mistake.getCommandLine();
            line.getErr().println("equipoise: " + mistake.getMessage());
            line.getErr()
                    .printf("%s --help lists the options%n", line.getCommandSpec().qualifiedName());
            return line.getCommandSpec().exitCodeOnInvalidInput();
        });
        System.exit(commandLine.execute(arguments));
    }

    private static List<String> sentences(Exception failure) {
        return switch (failure) {
            case UsageError wrong -> wrong.sentences();
            case LabFailure known -> List.of(String.valueOf(known.getMessage()));
            default -> List.of(failure.getClass().getSimpleName() + ": " + failure.getMessage());
        };
    }
}
