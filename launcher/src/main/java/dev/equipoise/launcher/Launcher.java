package dev.equipoise.launcher;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The commands of {@code ./equipoise} that run a laboratory on this machine. */
@Command(
        name = "equipoise",
        subcommands = {Demo.class, Up.class},
        mixinStandardHelpOptions = true)
final class Launcher {

    private static final int FAILED = 1;

    private Launcher() {}

    public static void main(String[] arguments) {
        CommandLine commandLine = new CommandLine(new Launcher());
        commandLine.setExecutionExceptionHandler((failure, line, _) -> {
            line.getErr().println("equipoise: " + sentence(failure));
            return FAILED;
        });
        commandLine.setParameterExceptionHandler((mistake, _) -> {
            CommandLine line = mistake.getCommandLine();
            line.getErr().println("equipoise: " + mistake.getMessage());
            line.getErr()
                    .printf("%s --help tells the options%n", line.getCommandSpec().qualifiedName());
            return line.getCommandSpec().exitCodeOnInvalidInput();
        });
        System.exit(commandLine.execute(arguments));
    }

    private static String sentence(Exception failure) {
        return failure instanceof LabFailure
                ? String.valueOf(failure.getMessage())
                : failure.getClass().getSimpleName() + ": " + failure.getMessage();
    }
}
