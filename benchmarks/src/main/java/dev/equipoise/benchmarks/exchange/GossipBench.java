package dev.equipoise.benchmarks.exchange;

import dev.equipoise.agent.channel.LinkLimits;
import dev.equipoise.benchmarks.Arguments;
import dev.equipoise.benchmarks.JsonLines;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Command {@code ./equipoise bench gossip}. */
@Command(
        name = "gossip",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Measures an exchange with two neighbors in memory, one thread per rank. The work"
                        + " of a rank must not depend on the number of ranks.")
public final class GossipBench implements Callable<Integer> {

    private static final int MAX_RANKS = 64;
    private static final long MAX_BYTES = 1L << 28;
    private static final double MILLIS = 1e3;
    private static final double MEGA = 1e6;

    @Option(
            names = "--ranks",
            paramLabel = "P",
            split = ",",
            description = "Numbers of threads (default: ${DEFAULT-VALUE}).",
            defaultValue = "4,8,16")
    private List<Integer> ranks = List.of();

    @Option(
            names = "--bytes",
            paramLabel = "N",
            description = "Bytes of the vector (default: ${DEFAULT-VALUE}).")
    private long bytes = 4 << 20;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description =
                    "Exchanges of one series, of which five are measured (default:"
                            + " ${DEFAULT-VALUE}).")
    private int rounds = 50;

    @Option(
            names = "--link",
            paramLabel = "MB/S",
            description =
                    "Bandwidth limit of each direction of a link, so that the links and not the"
                            + " shared cores decide (default: no limit).")
    private double megabytesPerSecond = Double.POSITIVE_INFINITY;

    @Option(names = "--json", paramLabel = "FILE", description = "File for the figures.")
    private @Nullable Path json;

    @Spec private @Nullable CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        check();
        List<GossipFigure> figures = new ArrayList<>();
        var limits = new LinkLimits(megabytesPerSecond * MEGA, Duration.ZERO);
        for (int each : ranks) {
            GossipFigure figure = new MeasureGossip(each, bytes, rounds, limits).measure();
            System.out.println(line(figure));
            figures.add(figure);
        }
        JsonLines.write(json, figures);
        return CommandLine.ExitCode.OK;
    }

    private static String line(GossipFigure figure) {
        return String.format(
                Locale.ROOT,
                "%2d ranks  %,11d bytes  %9.3f ms per exchange  %9.3f ms of a core per rank"
                        + "  %,11d bytes sent per rank",
                figure.ranks(),
                figure.bytes(),
                figure.seconds() * MILLIS,
                figure.threadSeconds() * MILLIS,
                figure.bytesSent());
    }

    private void check() {
        Arguments.require(
                spec,
                ranks.stream().allMatch(it -> it >= 3 && it <= MAX_RANKS),
                "--ranks must be in 3..%d, but are %s".formatted(MAX_RANKS, ranks));
        Arguments.require(
                spec,
                bytes >= Float.BYTES && bytes <= MAX_BYTES && bytes % Float.BYTES == 0,
                "--bytes must be a multiple of 4 up to %d, but is %d".formatted(MAX_BYTES, bytes));
        Arguments.require(
                spec,
                megabytesPerSecond > 0,
                "--link must be positive, but is " + megabytesPerSecond);
        Arguments.requirePositive(spec, "--rounds", rounds);
    }
}
