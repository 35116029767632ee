package dev.equipoise.benchmarks.exchange;

import dev.equipoise.benchmarks.Arguments;
import dev.equipoise.benchmarks.JsonLines;
import dev.equipoise.protocol.Synchronization.Bsp;
import dev.equipoise.protocol.network.Preset;
import java.nio.file.Path;
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

/** Command {@code ./equipoise bench overlap}. */
@Command(
        name = "overlap",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Measures rounds of bulk-synchronous SGD around a ring over slow links: with the"
                        + " gradient as a whole, in buckets after the backward pass, and in buckets"
                        + " during it. One thread per rank.")
public final class OverlapBench implements Callable<Integer> {

    private static final int MIN_RANKS = 2;
    private static final int MAX_RANKS = 16;
    private static final int MAX_BATCH = 1024;
    private static final double MILLIS = 1e3;
    private static final List<String> NETWORKS = List.of("mnist-cnn", "cifar-cnn");

    @Option(
            names = "--network",
            paramLabel = "N",
            split = ",",
            description = "Networks, of mnist-cnn, cifar-cnn (default: both).")
    private List<String> networks = NETWORKS;

    @Option(
            names = "--ranks",
            paramLabel = "P",
            description = "Number of ranks (default: ${DEFAULT-VALUE}).")
    private int ranks = 2;

    @Option(
            names = "--batch",
            paramLabel = "B",
            description = "Samples of a rank in a round (default: ${DEFAULT-VALUE}).")
    private int batch = 32;

    @Option(
            names = "--link",
            paramLabel = "MB/S",
            split = ",",
            description = "Bandwidths of a link in each direction (default: 200,100,50,25).")
    private List<Double> links = List.of(200.0, 100.0, 50.0, 25.0);

    @Option(
            names = "--bucket",
            paramLabel = "MB",
            description = "Size of a bucket (default: ${DEFAULT-VALUE}).")
    private double bucket = Bsp.DEFAULT_BUCKET_MEGABYTES;

    @Option(
            names = "--first-bucket",
            paramLabel = "MB",
            description = "Size of the first bucket (default: ${DEFAULT-VALUE}).")
    private double firstBucket = Bsp.DEFAULT_FIRST_BUCKET_MEGABYTES;

    @Option(
            names = "--rounds",
            paramLabel = "R",
            description = "Measured rounds of each way (default: ${DEFAULT-VALUE}).")
    private int rounds = 21;

    @Option(names = "--json", paramLabel = "FILE", description = "File for the figures.")
    private @Nullable Path json;

    @Spec private @Nullable CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        check();
        List<OverlapFigure> figures = new ArrayList<>();
        for (Preset preset : List.of(Preset.MNIST_CNN, Preset.CIFAR_CNN)) {
            for (double link : networks.contains(preset.label()) ? links : List.<Double>of()) {
                var measurement =
                        new MeasureOverlap(
                                preset.architecture(),
                                ranks,
                                batch,
                                rounds,
                                link,
                                new Bsp(true, bucket, firstBucket));
                figures.add(measurement.measure());
                System.out.println(line(figures.getLast()));
            }
        }
        JsonLines.write(json, figures);
        return CommandLine.ExitCode.OK;
    }

    private static String line(OverlapFigure figure) {
        return String.format(
                Locale.ROOT,
                "%-9s  %2d ranks  %6.1f MB/s  %d buckets  compute %7.2f ms  whole %7.2f ms"
                        + "  in turn %7.2f ms  overlapped %7.2f ms (expected %7.2f)  %.2f times",
                figure.network(),
                figure.ranks(),
                figure.megabytesPerSecond(),
                figure.buckets(),
                figure.computeSeconds() * MILLIS,
                figure.wholeSeconds() * MILLIS,
                figure.inTurnSeconds() * MILLIS,
                figure.overlappedSeconds() * MILLIS,
                figure.expectedSeconds() * MILLIS,
                figure.speedup());
    }

    private void check() {
        Arguments.requireInRange(spec, "--ranks", ranks, MIN_RANKS, MAX_RANKS);
        Arguments.requireInRange(spec, "--batch", batch, 1, MAX_BATCH);
        Arguments.requirePositive(spec, "--rounds", rounds);
        Arguments.require(spec, bucket > 0, "--bucket must be positive, but is " + bucket);
        Arguments.require(
                spec, firstBucket > 0, "--first-bucket must be positive, but is " + firstBucket);
        Arguments.require(
                spec,
                links.stream().allMatch(it -> it > 0),
                "--link must be positive, but is " + links);
        for (String network : networks) {
            Arguments.requireOneOf(spec, "--network", network, NETWORKS);
        }
    }
}
