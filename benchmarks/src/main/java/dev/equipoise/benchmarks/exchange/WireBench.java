package dev.equipoise.benchmarks.exchange;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Command {@code ./equipoise bench wire}. */
@Command(
        name = "wire",
        mixinStandardHelpOptions = true,
        description =
                "Measures the upper limit: two processes exchange vectors over a bare loopback"
                        + " socket in both directions at once.")
public final class WireBench implements Callable<Integer> {

    static final int RANKS = 2;

    @Override
    public Integer call() throws InterruptedException {
        for (Figure figure : measure()) {
            System.out.println(
                    String.format(
                            Locale.ROOT,
                            "%,11d bytes  %9.3f ms  %,8.0f MB/s",
                            figure.bytes(),
                            figure.seconds() * 1e3,
                            figure.busMegabytesPerSecond()));
        }
        return CommandLine.ExitCode.OK;
    }

    static List<Figure> measure() throws InterruptedException {
        return RankProcesses.run(RANKS, List.of("measure-wire"), Figure.class);
    }
}
