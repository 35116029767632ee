package dev.equipoise.benchmarks;

import dev.equipoise.benchmarks.api.ApiBench;
import dev.equipoise.benchmarks.api.DashboardBench;
import dev.equipoise.benchmarks.codec.CodecBench;
import dev.equipoise.benchmarks.exchange.AggregateBench;
import dev.equipoise.benchmarks.exchange.AllReduceBench;
import dev.equipoise.benchmarks.exchange.GossipBench;
import dev.equipoise.benchmarks.exchange.LinksBench;
import dev.equipoise.benchmarks.exchange.MeasureAggregate;
import dev.equipoise.benchmarks.exchange.MeasureAllReduce;
import dev.equipoise.benchmarks.exchange.MeasureLinks;
import dev.equipoise.benchmarks.exchange.MeasureWire;
import dev.equipoise.benchmarks.exchange.OverlapBench;
import dev.equipoise.benchmarks.exchange.WireBench;
import dev.equipoise.benchmarks.learn.LearnBench;
import dev.equipoise.benchmarks.load.LoadBench;
import dev.equipoise.benchmarks.replicas.ReplicasBench;
import dev.equipoise.benchmarks.simulate.ServerOrRingBench;
import dev.equipoise.benchmarks.simulate.SimulateBench;
import dev.equipoise.benchmarks.step.MeasureStep;
import dev.equipoise.benchmarks.step.StepBench;
import dev.equipoise.protocol.SoftwareVersion;
import dev.equipoise.protocol.Topology.Algorithm;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Command {@code ./equipoise bench} with one subcommand per benchmark. */
@Command(
        name = "bench",
        subcommands = {
            StepBench.class,
            LearnBench.class,
            LoadBench.class,
            ReplicasBench.class,
            SimulateBench.class,
            ServerOrRingBench.class,
            CodecBench.class,
            AllReduceBench.class,
            WireBench.class,
            GossipBench.class,
            LinksBench.class,
            AggregateBench.class,
            OverlapBench.class,
            ApiBench.class,
            DashboardBench.class,
            MeasureStep.class,
            MeasureAllReduce.class,
            MeasureWire.class,
            MeasureLinks.class,
            MeasureAggregate.class
        },
        mixinStandardHelpOptions = true,
        description = "Benchmarks of Equipoise, optionally against peer programs.")
public final class Bench {

    private static final int FAILED = 1;

    private Bench() {}

    public static void main(String[] arguments) {
        CommandLine commandLine = new CommandLine(new Bench());
        provideVersion(commandLine);
        commandLine.registerConverter(Algorithm.class, name -> read(name, Algorithm.class));
        commandLine.setExecutionExceptionHandler((failure, line, _) -> {
            line.getErr().println("equipoise bench: " + sentence(failure));
            return FAILED;
        });
        commandLine.setParameterExceptionHandler((failure, _) -> {
            CommandLine line = failure.getCommandLine();
            line.getErr().println("equipoise bench: " + failure.getMessage() + " (see --help)");
            return line.getCommandSpec().exitCodeOnInvalidInput();
        });
        System.exit(commandLine.execute(arguments));
    }

    /** Lets a command and all commands below it answer {@code --version}. */
    private static void provideVersion(CommandLine commandLine) {
        CommandSpec command = commandLine.getCommandSpec();
        command.versionProvider(() ->
                new String[] {
                    "equipoise %s %s".formatted(command.qualifiedName(), SoftwareVersion.OWN)
                });
        commandLine.getSubcommands().values().forEach(Bench::provideVersion);
    }

    /** Reads a constant by its name in definitions. */
    private static <T> T read(String name, Class<T> type) {
        try {
            return JsonMapper.builder().build().convertValue(name, type);
        } catch (JacksonException _) {
            throw new CommandLine.TypeConversionException("'%s' is unknown".formatted(name));
        }
    }

    private static String sentence(Exception failure) {
        return failure instanceof BenchFailed
                ? String.valueOf(failure.getMessage())
                : failure.getClass().getSimpleName() + ": " + failure.getMessage();
    }
}
