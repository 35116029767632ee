package dev.equipoise.benchmarks;

import dev.equipoise.benchmarks.learn.LearnBench;
import dev.equipoise.benchmarks.load.LoadBench;
import dev.equipoise.benchmarks.step.MeasureStep;
import dev.equipoise.benchmarks.step.StepBench;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The benchmarks, by name. */
@Command(
        name = "bench",
        subcommands = {StepBench.class, LearnBench.class, LoadBench.class, MeasureStep.class},
        mixinStandardHelpOptions = true,
        description = "Measures parts of Equipoise, on request beside its peers.")
public final class Bench {

    private static final int FAILED = 1;

    private Bench() {}

    public static void main(String[] arguments) {
        CommandLine commandLine = new CommandLine(new Bench());
        commandLine.setExecutionExceptionHandler((failure, line, _) -> {
            line.getErr().println("equipoise bench: " + sentence(failure));
            return FAILED;
        });
        commandLine.setParameterExceptionHandler((mistake, _) -> {
            CommandLine line = mistake.getCommandLine();
            line.getErr()
                    .println("equipoise bench: " + mistake.getMessage() + " (--help tells more)");
            return line.getCommandSpec().exitCodeOnInvalidInput();
        });
        System.exit(commandLine.execute(arguments));
    }

    private static String sentence(Exception failure) {
        return failure instanceof BenchFailed
                ? String.valueOf(failure.getMessage())
                : failure.getClass().getSimpleName() + ": " + failure.getMessage();
    }
}
