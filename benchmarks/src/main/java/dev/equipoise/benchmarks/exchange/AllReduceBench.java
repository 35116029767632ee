package dev.equipoise.benchmarks.exchange;

import dev.equipoise.benchmarks.Arguments;
import dev.equipoise.benchmarks.JsonLines;
import dev.equipoise.protocol.Topology.Algorithm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/** Command {@code ./equipoise bench all-reduce}. */
@Command(
        name = "all-reduce",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Measures all-reduces between processes over loopback, from 4 KiB to 64 MiB; with"
                        + " --peers in alternation with gloo and, if installed, OpenMPI. Two ranks"
                        + " without busy loops are also compared with a bare socket.")
public final class AllReduceBench implements Callable<Integer> {

    private static final int MAX_RANKS = 64;

    @Option(
            names = "--ranks",
            paramLabel = "P",
            description = "Number of processes (default: ${DEFAULT-VALUE}).")
    private int ranks = 2;

    @Option(
            names = "--channel",
            paramLabel = "C",
            description = "Channel, of direct, shared-memory, hazelcast (default: direct).")
    private ExchangeVariant channel = ExchangeVariant.DIRECT;

    @Option(
            names = "--algorithm",
            paramLabel = "A",
            description =
                    "Algorithm, of ring, tree, recursive-doubling, halving-doubling, hierarchical,"
                            + " flat, auto (default: ring).")
    private Algorithm algorithm = Algorithm.RING;

    @Option(
            names = "--pairs",
            paramLabel = "N",
            description = "Measurements of each, in alternation (default: ${DEFAULT-VALUE}).")
    private int pairs = 5;

    @Option(
            names = "--beside",
            paramLabel = "N",
            description =
                    "Number of busy loops to run meanwhile; the result is compared with the same"
                            + " exchange without them (default: ${DEFAULT-VALUE}).")
    private int beside;

    @Option(names = "--json", paramLabel = "FILE", description = "File for the figures.")
    private @Nullable Path json;

    @Option(
            names = "--peers",
            paramLabel = "DIR",
            description = "Folder with gloo_allreduce and mpi_allreduce.")
    private @Nullable Path peers;

    @Spec private @Nullable CommandSpec spec;

    private final List<List<Figure>> ours = new ArrayList<>();
    private final Map<String, List<List<Figure>>> theirs = new LinkedHashMap<>();

    @Override
    public Integer call() throws InterruptedException {
        check();
        List<BaselineProgram> programs = peers == null ? List.of() : BaselineProgram.of(peers);
        for (int pair = 0; pair < pairs; pair++) {
            measureEach(programs);
        }
        List<AllReduceComparison> results = AllReduceComparison.of(ours, theirs);
        results.forEach(result -> System.out.println(line(result)));
        JsonLines.write(json, results);
        return CommandLine.ExitCode.OK;
    }

    /** Adds one series of ours and one of each other measurement. */
    private void measureEach(List<BaselineProgram> programs) throws InterruptedException {
        if (beside > 0) {
            add("idle", measure());
        }
        try (var _ = BusyLoops.start(beside)) {
            ours.add(measure());
            for (BaselineProgram program : programs) {
                add(program.name(), program.measure(ranks));
            }
            // The wire benchmark polls; with busy loops it would measure time slices.
            if (ranks == WireBench.RANKS && beside == 0) {
                add("wire", WireBench.measure());
            }
        }
    }

    private void add(String name, List<Figure> series) {
        theirs.computeIfAbsent(name, _ -> new ArrayList<>()).add(series);
    }

    private List<Figure> measure() throws InterruptedException {
        return RankProcesses.run(
                ranks,
                List.of(
                        "measure-all-reduce",
                        "--channel",
                        channel.toString(),
                        "--algorithm",
                        name(algorithm)),
                Figure.class);
    }

    private static String name(Algorithm value) {
        return JsonMapper.builder().build().convertValue(value, String.class);
    }

    private static String line(AllReduceComparison result) {
        var line =
                new StringBuilder(
                        String.format(
                                Locale.ROOT,
                                "%d ranks  %,11d bytes  %9.3f ms  %,8.0f MB/s",
                                result.ranks(),
                                result.bytes(),
                                result.seconds() * 1e3,
                                result.busMegabytesPerSecond()));
        result.ratios()
                .forEach((peer, ratio) ->
                        line.append(String.format(Locale.ROOT, "  %s %.2f", peer, ratio)));
        return line.toString();
    }

    private void check() {
        Arguments.requireInRange(spec, "--ranks", ranks, 1, MAX_RANKS);
        Arguments.requireInRange(spec, "--beside", beside, 0, MAX_RANKS);
        Arguments.requirePositive(spec, "--pairs", pairs);
        Arguments.require(
                spec,
                peers == null || Files.isRegularFile(peers.resolve("gloo_allreduce")),
                "--peers must be a folder with gloo_allreduce, but is " + peers);
        Arguments.require(
                spec,
                peers == null || !BaselineProgram.of(peers).isEmpty(),
                "--peers needs .peers: run setup in that folder");
    }
}
