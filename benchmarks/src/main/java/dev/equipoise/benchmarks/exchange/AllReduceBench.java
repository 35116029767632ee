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

/** {@code ./equipoise bench all-reduce}. */
@Command(
        name = "all-reduce",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Measures all-reduce between processes over the loopback, from 4 KiB to 64 MiB; with"
                        + " --peers in turns with gloo and, where it is installed, OpenMPI. Two ranks"
                        + " without busy loops are compared with bytes over a bare socket, too.")
public final class AllReduceBench implements Callable<Integer> {

    private static final int MOST_RANKS = 64;

    @Option(
            names = "--ranks",
            paramLabel = "P",
            description = "Processes that exchange (default: ${DEFAULT-VALUE}).")
    private int ranks = 2;

    @Option(
            names = "--channel",
            paramLabel = "C",
            description = "Of direct, shared-memory, hazelcast (default: direct).")
    private Way channel = Way.DIRECT;

    @Option(
            names = "--algorithm",
            paramLabel = "A",
            description =
                    "Of ring, tree, recursive-doubling, halving-doubling, hierarchical, flat, auto"
                            + " (default: ring).")
    private Algorithm algorithm = Algorithm.RING;

    @Option(
            names = "--pairs",
            paramLabel = "N",
            description = "How often each is measured, in turns (default: ${DEFAULT-VALUE}).")
    private int pairs = 5;

    @Option(
            names = "--beside",
            paramLabel = "N",
            description =
                    "Measures beside so many busy loops, which it starts itself, and compares with"
                            + " the same exchange without them (default: ${DEFAULT-VALUE}).")
    private int beside;

    @Option(names = "--json", paramLabel = "FILE", description = "Where all figures are written.")
    private @Nullable Path json;

    @Option(
            names = "--peers",
            paramLabel = "DIR",
            description = "The folder with gloo_allreduce and mpi_allreduce.")
    private @Nullable Path peers;

    @Spec private @Nullable CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        check();
        List<Peer> others = peers == null ? List.of() : Peer.of(peers);
        List<List<Figure>> ours = new ArrayList<>();
        Map<String, List<List<Figure>>> theirs = new LinkedHashMap<>();
        for (int pair = 0; pair < pairs; pair++) {
            if (beside > 0) {
                others(theirs, "idle").add(measure());
            }
            try (var _ = BusyLoops.start(beside)) {
                ours.add(measure());
                for (Peer peer : others) {
                    others(theirs, peer.name()).add(peer.measure(ranks));
                }
                // The wire benchmark polls; beside loops it would measure time slices.
                if (ranks == WireBench.RANKS && beside == 0) {
                    others(theirs, "wire").add(WireBench.measure());
                }
            }
        }
        List<Comparison> results = Comparison.of(ours, theirs);
        results.forEach(result -> System.out.println(line(result)));
        JsonLines.write(json, results);
        return CommandLine.ExitCode.OK;
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

    private static List<List<Figure>> others(Map<String, List<List<Figure>>> theirs, String name) {
        return theirs.computeIfAbsent(name, _ -> new ArrayList<>());
    }

    private static String name(Algorithm value) {
        return JsonMapper.builder().build().convertValue(value, String.class);
    }

    private static String line(Comparison result) {
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
        Arguments.require(
                spec,
                ranks >= 1 && ranks <= MOST_RANKS,
                "--ranks must be in 1..%d, but is %d".formatted(MOST_RANKS, ranks));
        Arguments.require(
                spec,
                beside >= 0 && beside <= MOST_RANKS,
                "--beside must be in 0..%d, but is %d".formatted(MOST_RANKS, beside));
        Arguments.require(spec, pairs >= 1, "--pairs must be at least 1, but is " + pairs);
        Arguments.require(
                spec,
                peers == null || Files.isRegularFile(peers.resolve("gloo_allreduce")),
                "--peers must be a folder with gloo_allreduce, but is " + peers);
        Arguments.require(
                spec,
                peers == null || !Peer.of(peers).isEmpty(),
                "--peers needs .peers, which setup in that folder makes");
    }
}
