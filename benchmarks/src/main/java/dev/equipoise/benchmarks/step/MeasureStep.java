package dev.equipoise.benchmarks.step;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.network.Backends;
import dev.equipoise.agent.network.Minibatch;
import dev.equipoise.agent.network.Network;
import dev.equipoise.agent.network.Objective;
import dev.equipoise.agent.optimizer.Optimizer;
import dev.equipoise.agent.optimizer.OptimizerState;
import dev.equipoise.benchmarks.BenchFailed;
import dev.equipoise.benchmarks.JsonLines;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Shape.Tokens;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures one network in this process, whose environment determines the number of threads. */
@Command(name = "measure-step", hidden = true)
public final class MeasureStep implements Callable<Integer> {

    private static final float LEARNING_RATE = 0.01f;
    private static final int WARM_UPS = 20;
    private static final int MIN_STEPS = 5;
    private static final double NANOS = 1e9;

    @Option(names = "--net", required = true)
    private String net = "";

    @Option(names = "--threads", required = true)
    private int threads;

    @Option(names = "--batch", required = true)
    private int batch;

    @Option(names = "--seconds", required = true)
    private double seconds;

    @Override
    public Integer call() {
        requireThreads();
        Architecture architecture = BenchmarkNetwork.named(net).orElseThrow().architecture();
        Objective objective = Objective.meanCrossEntropy(architecture.scores());
        try (Network network = Network.of(architecture, objective, Backends.load())) {
            network.initialize(1);
            double median = median(network, noise(architecture));
            JsonLines.print(Timing.ours(net, threads, batch, median));
        }
        return 0;
    }

    /** Checks the variable, which the numeric library reads when it is loaded. */
    private void requireThreads() {
        String inEnvironment = System.getenv("OMP_NUM_THREADS");
        if (!String.valueOf(threads).equals(inEnvironment)) {
            throw new BenchFailed(
                    "OMP_NUM_THREADS must be %d, but is %s".formatted(threads, inEnvironment));
        }
    }

    private double median(Network network, Minibatch minibatch) {
        var training = new Training(network, minibatch);
        for (int step = 0; step < WARM_UPS; step++) {
            training.step();
        }
        long end = System.nanoTime() + Math.round(seconds * NANOS);
        LongStream.Builder nanos = LongStream.builder();
        for (int step = 0; step < MIN_STEPS || System.nanoTime() < end; step++) {
            nanos.add(training.step());
        }
        long[] sorted = nanos.build().sorted().toArray();
        return sorted[sorted.length / 2] / NANOS;
    }

    /** Training of a network on one mini-batch. */
    private static final class Training {

        private final Network network;
        private final Minibatch minibatch;
        private final Optimizer optimizer;
        private OptimizerState state;

        private Training(Network network, Minibatch minibatch) {
            this.network = network;
            this.minibatch = minibatch;
            this.optimizer =
                    Optimizer.of(new OptimizerSpec.Sgd(LEARNING_RATE), 1, 1, network.descent());
            this.state = optimizer.initialState(network.parameterCount(), Arena.ofAuto());
        }

        /** Takes a step and returns its time, in nanoseconds. */
        private long step() {
            long before = System.nanoTime();
            network.gradient(minibatch);
            state = optimizer.step(state, network.parameters(), network.gradient());
            return System.nanoTime() - before;
        }
    }

    private Minibatch noise(Architecture architecture) {
        var random = new SplittableRandom(1);
        var minibatch =
                new Minibatch(
                        architecture.input(), architecture.positions(), batch, Arena.ofAuto());
        minibatch.resize(batch);
        for (long i = 0; i < minibatch.values().byteSize() / Float.BYTES; i++) {
            minibatch.values().setAtIndex(JAVA_FLOAT, i, (float) random.nextDouble());
        }
        if (architecture.input() instanceof Tokens words) {
            Arrays.setAll(minibatch.tokens(), _ -> random.nextInt(words.vocabulary()));
        }
        Arrays.setAll(minibatch.labels(), _ -> random.nextInt(architecture.scores()));
        return minibatch;
    }
}
