package dev.equipoise.benchmarks.load;

import dev.equipoise.agent.dataset.Dataset;
import dev.equipoise.agent.dataset.DatasetRegistry;
import dev.equipoise.agent.dataset.DatasetSettings;
import dev.equipoise.agent.dataset.Permutation;
import dev.equipoise.agent.network.Minibatch;
import dev.equipoise.protocol.dataset.DatasetSpec;
import dev.equipoise.protocol.dataset.Normalization;
import dev.equipoise.protocol.dataset.PublishedSpec;
import dev.equipoise.protocol.dataset.PublishedSpec.Brown;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Command {@code ./equipoise bench load}; it runs cold, as in an agent that has just started. */
@Command(
        name = "load",
        mixinStandardHelpOptions = true,
        description =
                "Measures once the time from files to the first mini-batch for MNIST (wanted: below"
                        + " 0.5 s), 20,000 images of CIFAR-10 (2 s) and Brown (5 s). Downloads"
                        + " missing data sets first.")
public final class LoadBench implements Callable<Integer> {

    private static final int BATCH = 64;
    private static final double NANOS = 1e9;

    private record Wanted(DatasetSpec dataset, double seconds) {}

    @Override
    public Integer call() {
        var registry = new DatasetRegistry(DatasetSettings.fromEnvironment(System.getenv()));
        boolean reached = true;
        for (Wanted wanted : wanted()) {
            reached &= load(wanted, registry);
        }
        return reached ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private static List<Wanted> wanted() {
        int windows = new Brown(Brown.View.WINDOWS, 10_000, Brown.WINDOW, 1).trainingSamples();
        return List.of(
                new Wanted(new PublishedSpec.Mnist(new Normalization.Unit(), 60_000), 0.5),
                new Wanted(new PublishedSpec.Cifar10(new Normalization.Unit(), 20_000), 2),
                new Wanted(new Brown(Brown.View.WINDOWS, 10_000, Brown.WINDOW, windows), 5));
    }

    private static boolean load(Wanted wanted, DatasetRegistry registry) {
        long begun = System.nanoTime();
        int samples = readFirst(wanted.dataset(), registry);
        double seconds = (System.nanoTime() - begun) / NANOS;
        boolean reached = seconds < wanted.seconds();
        System.out.printf(
                Locale.ROOT,
                "%-9s %,9d samples  %.3f s  %s (below %.1f s)%n",
                wanted.dataset().name(),
                samples,
                seconds,
                reached ? "reached" : "MISSED",
                wanted.seconds());
        return reached;
    }

    /** Loads a data set, reads a mini-batch and returns the number of training samples. */
    private static int readFirst(DatasetSpec spec, DatasetRegistry registry) {
        Dataset training = registry.load(spec, spec.limit()).training();
        var minibatch =
                new Minibatch(training.shape(), training.positions(), BATCH, Arena.ofAuto());
        training.read(Permutation.of(1, 1, training.size()), 0, BATCH, minibatch);
        return training.size();
    }
}
