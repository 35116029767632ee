package dev.equipoise.benchmarks.exchange;

import dev.equipoise.agent.link.LinkCost;
import dev.equipoise.agent.link.LinkMatrix;
import dev.equipoise.benchmarks.Arguments;
import dev.equipoise.benchmarks.JsonLines;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Command {@code ./equipoise bench links}. */
@Command(
        name = "links",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Measures the links between all pairs of processes over loopback: latency alpha and"
                        + " bandwidth 1/beta, from messages of 1 KiB to 64 MiB.")
public final class LinksBench implements Callable<Integer> {

    private static final int MIN_RANKS = 2;
    private static final int MAX_RANKS = 64;
    private static final double MICRO = 1e-6;
    private static final double MEGA = 1e6;
    private static final long RING_BYTES = 1 << 20;

    @Option(
            names = "--ranks",
            paramLabel = "P",
            description = "Number of processes (default: ${DEFAULT-VALUE}).")
    private int ranks = 4;

    @Option(
            names = "--channel",
            paramLabel = "C",
            description = "Channel, of direct, shared-memory, hazelcast (default: direct).")
    private ExchangeVariant channel = ExchangeVariant.DIRECT;

    @Option(names = "--json", paramLabel = "FILE", description = "File for the figures.")
    private @Nullable Path json;

    @Spec private @Nullable CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        check();
        List<LinkFigure> figures =
                RankProcesses.run(
                        ranks,
                        List.of("measure-links", "--channel", channel.toString()),
                        LinkFigure.class);
        LinkMatrix matrix = LinkFigure.matrix(ranks, figures);
        print(matrix, "alpha, microseconds", cost -> cost.alpha() / MICRO);
        print(matrix, "1/beta, MB/s", cost -> cost.bytesPerSecond() / MEGA);
        print(matrix, "error of the fit, percent", cost -> cost.relativeError() * 100);
        System.out.printf(
                "ring for messages of %,d bytes: %s%n", RING_BYTES, matrix.ringOrder(RING_BYTES));
        JsonLines.write(json, figures);
        return CommandLine.ExitCode.OK;
    }

    private void print(LinkMatrix matrix, String title, ToDoubleFunction<LinkCost> value) {
        System.out.println(title);
        var head = new StringBuilder("    ");
        for (int peer = 0; peer < ranks; peer++) {
            head.append(String.format(Locale.ROOT, "%10d", peer));
        }
        System.out.println(head);
        for (int rank = 0; rank < ranks; rank++) {
            System.out.println(row(matrix, rank, value));
        }
    }

    private String row(LinkMatrix matrix, int rank, ToDoubleFunction<LinkCost> value) {
        var row = new StringBuilder(String.format(Locale.ROOT, "%4d", rank));
        for (int peer = 0; peer < ranks; peer++) {
            row.append(
                    peer == rank
                            ? String.format(Locale.ROOT, "%10s", "-")
                            : String.format(
                                    Locale.ROOT,
                                    "%,10.1f",
                                    value.applyAsDouble(matrix.cost(rank, peer))));
        }
        return row.toString();
    }

    private void check() {
        Arguments.requireInRange(spec, "--ranks", ranks, MIN_RANKS, MAX_RANKS);
    }
}
