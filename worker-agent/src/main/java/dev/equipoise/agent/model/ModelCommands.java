package dev.equipoise.agent.model;

import dev.equipoise.agent.dataset.DatasetCorrupt;
import dev.equipoise.agent.dataset.DatasetInvalid;
import dev.equipoise.agent.dataset.DatasetUnavailable;
import dev.equipoise.agent.network.step.BackendUnavailable;
import dev.equipoise.protocol.model.ModelFileInvalid;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;

/** Entry point of the commands of {@code ./equipoise} that read the file of a trained model. */
@Command(
        name = "equipoise",
        subcommands = {PredictCommand.class, ExportCommand.class},
        mixinStandardHelpOptions = true)
public final class ModelCommands {

    private ModelCommands() {}

    /** Runs a command, and exits the process: 0 done, 1 failed, 2 wrong command line. */
    public static void main(String[] arguments) {
        var out = new PrintWriter(System.out, false, StandardCharsets.UTF_8);
        var err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        System.exit(execute(out, err, arguments));
    }

    static int execute(PrintWriter out, PrintWriter err, String... arguments) {
        CommandLine commands = new CommandLine(new ModelCommands()).setOut(out).setErr(err);
        commands.setCaseInsensitiveEnumValuesAllowed(true);
        commands.setParameterExceptionHandler(ModelCommands::misused);
        commands.setExecutionExceptionHandler((failure, line, _) -> failed(failure, line));
        int status = commands.execute(arguments);
        out.flush();
        return status;
    }

    private static int misused(ParameterException mistake, String[] arguments) {
        CommandLine line = mistake.getCommandLine();
        line.getErr().println("equipoise: " + mistake.getMessage());
        line.getErr()
                .printf("%s --help lists the options%n", line.getCommandSpec().qualifiedName());
        return CommandLine.ExitCode.USAGE;
    }

    private static int failed(Exception failure, CommandLine line) {
        line.getOut().flush();
        line.getErr().println("equipoise: " + sentence(failure));
        return CommandLine.ExitCode.SOFTWARE;
    }

    private static String sentence(Exception failure) {
        return switch (failure) {
            case CommandFailed _,
                    ModelFileInvalid _,
                    DatasetInvalid _,
                    DatasetCorrupt _,
                    DatasetUnavailable _,
                    BackendUnavailable _ ->
                    String.valueOf(failure.getMessage());
            default -> failure.getClass().getSimpleName() + ": " + failure.getMessage();
        };
    }
}
