package dev.equipoise.benchmarks.step;

import dev.equipoise.benchmarks.Arguments;
import dev.equipoise.benchmarks.BenchFailed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/** Command {@code ./equipoise bench step}. */
@Command(
        name = "step",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Measures a training step of the reference networks; with --peers in alternation"
                        + " with PyTorch, as a ratio to its faster layout.")
public final class StepBench implements Callable<Integer> {

    private static final int MIN_PAIRS = 5;
    private static final List<String> NETS =
            Arrays.stream(BenchmarkNetwork.values()).map(BenchmarkNetwork::label).toList();

    @Option(
            names = "--threads",
            paramLabel = "T",
            description = "Compute threads (default: ${DEFAULT-VALUE}).")
    private int threads = 1;

    @Option(
            names = "--batch",
            paramLabel = "B",
            description = "Samples of a mini-batch (default: ${DEFAULT-VALUE}).")
    private int batch = 64;

    @Option(
            names = "--net",
            paramLabel = "N",
            split = ",",
            description = "Networks, of mlp, mnist-cnn, cifar-cnn, rnn-lm, lstm-lm (default: all).")
    private List<String> nets = NETS;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "Seconds of each measurement (default: ${DEFAULT-VALUE}).")
    private double seconds = 2;

    @Option(
            names = "--pairs",
            paramLabel = "P",
            description =
                    "Measurements of each, in pairs with the peer, at least 5 (default:"
                            + " ${DEFAULT-VALUE}).")
    private int pairs = MIN_PAIRS;

    @Option(names = "--json", paramLabel = "FILE", description = "File for the figures.")
    private @Nullable Path json;

    @Option(
            names = "--peers",
            paramLabel = "DIR",
            description = "Folder with torch_step.py and setup.")
    private @Nullable Path peers;

    @Spec private @Nullable CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        check();
        Processes processes = new Processes(threads, batch, seconds);
        Path python = peers == null ? null : Processes.python(peers);
        List<StepComparison> results = new ArrayList<>();
        for (String net : nets) {
            results.add(compare(net, processes, python));
            System.out.println(line(results.getLast()));
        }
        write(results);
        return CommandLine.ExitCode.OK;
    }

    /** Measures a network in alternation with the peer, if there is a Python to run it. */
    private StepComparison compare(String net, Processes processes, @Nullable Path python)
            throws InterruptedException {
        List<Timing> ours = new ArrayList<>();
        List<Timing> theirs = new ArrayList<>();
        for (int pair = 0; pair < pairs; pair++) {
            ours.add(processes.ours(net));
            if (peers != null && python != null) {
                theirs.add(faster(processes.torch(net, python, peers)));
            }
        }
        return StepComparison.of(ours, theirs);
    }

    private static Timing faster(List<Timing> layouts) {
        return layouts.stream().min(Comparator.comparingDouble(Timing::seconds)).orElseThrow();
    }

    private static String line(StepComparison result) {
        String ours =
                String.format(
                        Locale.ROOT,
                        "%-10s threads %d  batch %d  %.6f s  %,.0f samples/s",
                        result.net(),
                        result.threads(),
                        result.batch(),
                        result.seconds(),
                        result.samplesPerSecond());
        return result.ratio() == null ? ours : ours + peer(result);
    }

    private static String peer(StepComparison result) {
        return String.format(
                Locale.ROOT,
                "  PyTorch %,.0f  ratio %.2f",
                result.peerSamplesPerSecond(),
                result.ratio());
    }

    private void write(List<StepComparison> results) {
        if (json == null) {
            return;
        }
        try {
            Files.writeString(
                    json,
                    JsonMapper.builder()
                                    .build()
                                    .writerWithDefaultPrettyPrinter()
                                    .writeValueAsString(results)
                            + System.lineSeparator());
        } catch (IOException e) {
            throw new BenchFailed("cannot write %s: %s".formatted(json, e), e);
        }
    }

    private void check() {
        Arguments.requirePositive(spec, "--threads", threads);
        Arguments.requirePositive(spec, "--batch", batch);
        Arguments.require(spec, seconds > 0, "--seconds must be positive, but is " + seconds);
        Arguments.require(spec, pairs >= MIN_PAIRS, "--pairs must be at least 5, but is " + pairs);
        for (String net : nets) {
            Arguments.requireOneOf(spec, "--net", net, NETS);
        }
        Arguments.require(
                spec,
                peers == null || Files.isRegularFile(peers.resolve(Processes.TORCH)),
                "--peers must be a folder with %s, but is %s".formatted(Processes.TORCH, peers));
    }
}
