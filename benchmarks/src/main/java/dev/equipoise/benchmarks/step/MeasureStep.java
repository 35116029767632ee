package dev.equipoise.benchmarks.step;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.network.Backends;
import dev.equipoise.agent.network.Minibatch;
import dev.equipoise.agent.network.Network;
import dev.equipoise.agent.network.Objective;
import dev.equipoise.agent.optimizer.Optimizer;
import dev.equipoise.agent.optimizer.OptimizerState;
import dev.equipoise.benchmarks.BenchFailed;
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
import tools.jackson.databind.json.JsonMapper;

/** Measures one network in this process, whose environment decides on the threads. */
@Command(name = "measure-step", hidden = true)
public final class MeasureStep implements Callable<Integer> {

    private static final float LEARNING_RATE = 0.01f;
    private static final int WARM_UPS = 20;
    private static final int LEAST_STEPS = 5;
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
        Architecture architecture = Net.named(net).orElseThrow().architecture();
        Objective objective = Objective.meanCrossEntropy(architecture.scores());
        try (Network network = Network.of(architecture, objective, Backends.load())) {
            network.initialise(1);
            double median = median(network, noise(architecture));
            System.out.println(
                    JsonMapper.builder()
                            .build()
                            .writeValueAsString(Timing.ours(net, threads, batch, median)));
        }
        return 0;
    }

    /** The library that computes reads the variable when it is loaded. */
    private void requireThreads() {
        String inEnvironment = System.getenv("OMP_NUM_THREADS");
        if (!String.valueOf(threads).equals(inEnvironment)) {
            throw new BenchFailed(
                    "OMP_NUM_THREADS must be %d, but is %s".formatted(threads, inEnvironment));
        }
    }

    private double median(Network network, Minibatch minibatch) {
        Optimizer optimizer =
                Optimizer.of(new OptimizerSpec.Sgd(LEARNING_RATE), 1, 1, network.descent());
        OptimizerState state = optimizer.initialState(network.parameterCount(), Arena.ofAuto());
        LongStream.Builder nanos = LongStream.builder();
        long end = Long.MAX_VALUE;
        for (int step = 0; step < WARM_UPS + LEAST_STEPS || System.nanoTime() < end; step++) {
            long before = System.nanoTime();
            network.gradient(minibatch);
            state = optimizer.step(state, network.parameters(), network.gradient());
            if (step >= WARM_UPS) {
                nanos.add(System.nanoTime() - before);
            } else if (step == WARM_UPS - 1) {
                end = System.nanoTime() + Math.round(seconds * NANOS);
            }
        }
        long[] sorted = nanos.build().sorted().toArray();
        return sorted[sorted.length / 2] / NANOS;
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
