package dev.equipoise.benchmarks.simulate;

import dev.equipoise.benchmarks.Arguments;
import dev.equipoise.performance.simulation.Links;
import dev.equipoise.performance.simulation.ServerOrRing;
import dev.equipoise.performance.simulation.Serving.Way;
import dev.equipoise.protocol.network.CommunicationModel;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Command {@code ./equipoise bench server-or-ring}. */
@Command(
        name = "server-or-ring",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Simulates one exchange of the gradients of three published networks: around a"
                        + " ring, and by recursive doubling and a server in several ways, as a"
                        + " multiple of the ring's time. 2 to 512 ranks, of which one is the"
                        + " server.")
public final class ServerOrRingBench implements Callable<Integer> {

    private static final int MIN_RANKS = 2;
    private static final int MAX_RANKS = 512;
    private static final double MICROS = 1e6;
    private static final double MEGA = 1e6;

    @Option(
            names = "--latency",
            paramLabel = "MICROSECONDS",
            description = "Latency of a message (default: ${DEFAULT-VALUE}).")
    private double latency = ServerOrRing.ASSUMED_LATENCY_SECONDS * MICROS;

    @Option(
            names = "--rate",
            paramLabel = "MB/S",
            description = "Bandwidth of a link (default: ${DEFAULT-VALUE}).")
    private double rate = ServerOrRing.PUBLISHED_BYTES_PER_SECOND / MEGA;

    @Spec private @Nullable CommandSpec spec;

    @Override
    public Integer call() {
        Arguments.require(spec, latency >= 0, "--latency must not be negative, but is " + latency);
        Arguments.require(spec, rate > 0, "--rate must be positive, but is " + rate);
        Links links = Links.uniform(latency / MICROS, 1 / (rate * MEGA));
        System.out.println(
                "network    ranks    ring, ms  doubling   server  by trees  layer by layer  by trees  in turn"
                        + "  tensor by tensor, in turn");
        for (CommunicationModel network : CommunicationModel.values()) {
            for (int ranks = MIN_RANKS; ranks <= MAX_RANKS; ranks *= 2) {
                System.out.println(line(new ServerOrRing(network, ranks, links)));
            }
        }
        return CommandLine.ExitCode.OK;
    }

    private static String line(ServerOrRing exchange) {
        double ring = exchange.ringSeconds();
        return String.format(
                Locale.ROOT,
                "%-9s  %5d  %10.3f  %8.2f  %7.2f  %8.2f  %14.2f  %8.2f  %7.2f  %25.2f",
                exchange.network().label(),
                exchange.ranks(),
                ring * 1e3,
                exchange.recursiveDoublingSeconds() / ring,
                exchange.serverSeconds(Way.DIRECT) / ring,
                exchange.serverSeconds(Way.TREE) / ring,
                exchange.layeredSeconds(Way.DIRECT) / ring,
                exchange.layeredSeconds(Way.TREE) / ring,
                exchange.layeredSeconds(Way.IN_TURN) / ring,
                exchange.tensorwiseSeconds(Way.IN_TURN) / ring);
    }
}
