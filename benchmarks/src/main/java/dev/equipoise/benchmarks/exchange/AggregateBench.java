package dev.equipoise.benchmarks.exchange;

import dev.equipoise.benchmarks.Arguments;
import dev.equipoise.benchmarks.JsonLines;
import dev.equipoise.benchmarks.Medians;
import dev.equipoise.protocol.network.CommunicationModel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Command {@code ./equipoise bench aggregate}. */
@Command(
        name = "aggregate",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Measures the aggregation of the gradients of large networks, by a ring and by a"
                        + " parameter server, as a whole and layer by layer.")
public final class AggregateBench implements Callable<Integer> {

    private static final int MIN_RANKS = 2;
    private static final int MAX_RANKS = 64;
    private static final List<String> NETWORKS =
            Arrays.stream(CommunicationModel.values()).map(CommunicationModel::label).toList();

    @Option(
            names = "--ranks",
            paramLabel = "P",
            split = ",",
            description = "Processes, including the server (default: 2,3,4,6,8).")
    private List<Integer> ranks = List.of(2, 3, 4, 6, 8);

    @Option(
            names = "--network",
            paramLabel = "N",
            split = ",",
            description = "Networks, of alexnet, googlenet, resnet-50 (default: all).")
    private List<String> networks = NETWORKS;

    @Option(
            names = "--channel",
            paramLabel = "C",
            description = "Channel, of direct, shared-memory, hazelcast (default: direct).")
    private ExchangeVariant channel = ExchangeVariant.DIRECT;

    @Option(
            names = "--rounds",
            paramLabel = "R",
            description = "Measured rounds (default: ${DEFAULT-VALUE}).")
    private int rounds = 5;

    @Option(
            names = "--pairs",
            paramLabel = "N",
            description = "Measurements of each, in alternation (default: ${DEFAULT-VALUE}).")
    private int pairs = 3;

    @Option(names = "--json", paramLabel = "FILE", description = "File for the figures.")
    private @Nullable Path json;

    @Spec private @Nullable CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        check();
        List<AggregateFigure> figures = new ArrayList<>();
        for (String network : networks) {
            for (boolean perLayer : new boolean[] {false, true}) {
                for (int count : ranks) {
                    figures.addAll(measure(network, perLayer, count));
                }
            }
        }
        printFits(figures);
        JsonLines.write(json, figures);
        return CommandLine.ExitCode.OK;
    }

    /**
     * Measures ring and server in alternation; prints their medians and the median of the ratios.
     */
    private List<AggregateFigure> measure(String network, boolean perLayer, int count)
            throws InterruptedException {
        List<AggregateFigure> rings = new ArrayList<>();
        List<AggregateFigure> servers = new ArrayList<>();
        List<Double> ratios = new ArrayList<>();
        for (int pair = 0; pair < pairs; pair++) {
            rings.add(measure(network, Aggregation.RING, perLayer, count));
            servers.add(measure(network, Aggregation.SERVER, perLayer, count));
            ratios.add(servers.getLast().seconds() / rings.getLast().seconds());
        }
        List<AggregateFigure> medians =
                List.of(AggregateFigure.median(rings), AggregateFigure.median(servers));
        System.out.println(line(medians.getFirst(), medians.getLast(), Medians.of(ratios)));
        return medians;
    }

    private static void printFits(List<AggregateFigure> figures) {
        int cores = Runtime.getRuntime().availableProcessors();
        for (Aggregation aggregation : Aggregation.values()) {
            CostFit.of(aggregation, figures, cores).forEach(fit -> System.out.println(fit.line()));
        }
    }

    private AggregateFigure measure(
            String network, Aggregation aggregation, boolean perLayer, int count)
            throws InterruptedException {
        List<String> command =
                List.of(
                        "measure-aggregate",
                        "--channel",
                        channel.toString(),
                        "--network",
                        network,
                        "--aggregation",
                        aggregation.toString(),
                        "--per-layer",
                        String.valueOf(perLayer),
                        "--rounds",
                        String.valueOf(rounds));
        return RankProcesses.run(count, command, AggregateFigure.class).getFirst();
    }

    private static String line(AggregateFigure ring, AggregateFigure server, double ratio) {
        return String.format(
                Locale.ROOT,
                "%-9s  %-9s  %d ranks  %,11d bytes  ring %8.1f ms  server %8.1f ms  %.2f",
                ring.network(),
                ring.perLayer() ? "per layer" : "whole",
                ring.ranks(),
                ring.bytes(),
                ring.seconds() * 1e3,
                server.seconds() * 1e3,
                ratio);
    }

    private void check() {
        Arguments.requirePositive(spec, "--rounds", rounds);
        Arguments.requirePositive(spec, "--pairs", pairs);
        for (int count : ranks) {
            Arguments.requireInRange(spec, "--ranks", count, MIN_RANKS, MAX_RANKS);
        }
        for (String network : networks) {
            Arguments.requireOneOf(spec, "--network", network, NETWORKS);
        }
    }
}
