package dev.equipoise.agent.profile;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.network.Minibatch;
import dev.equipoise.agent.network.Network;
import dev.equipoise.agent.network.Objective;
import dev.equipoise.agent.network.step.Backend;
import dev.equipoise.agent.optimizer.Optimizer;
import dev.equipoise.agent.optimizer.OptimizerState;
import dev.equipoise.agent.time.Pace;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Shape;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.SplittableRandom;

/** The step that a replica repeats, on noise in place of images and at the worker's pace. */
final class TrainingStepWorkload implements Workload {

    private static final long SEED = 1;
    private static final int GREY_LEVELS = 256;
    private static final double LEARNING_RATE = 0.01;

    private final Pace pace;
    private final Arena memory = Arena.ofShared();
    private final Network network;
    private final Minibatch minibatch;
    private final Optimizer optimizer;
    private OptimizerState optimizerState;

    TrainingStepWorkload(Architecture architecture, int largestSize, Pace pace, Backend backend) {
        this.pace = pace;
        this.network =
                Network.of(
                        architecture, Objective.meanCrossEntropy(architecture.scores()), backend);
        this.minibatch =
                new Minibatch(architecture.input(), architecture.positions(), largestSize, memory);
        this.optimizer =
                Optimizer.of(new OptimizerSpec.Sgd(LEARNING_RATE), 1, 1, network.descent());
        this.optimizerState = optimizer.initialState(network.parameterCount(), memory);
        network.initialise(SEED);
        fillWithNoise(largestSize, architecture.scores());
    }

    @Override
    public Runnable at(int size) {
        minibatch.resize(size);
        return this::step;
    }

    @Override
    public void close() {
        network.close();
        memory.close();
    }

    private void step() {
        pace.begin();
        network.gradient(minibatch, pace::rest);
        optimizerState = optimizer.step(optimizerState, network.parameters(), network.gradient());
        pace.end();
    }

    private void fillWithNoise(int samples, int classes) {
        var random = new SplittableRandom(SEED);
        minibatch.resize(samples);
        long values = minibatch.values().byteSize() / JAVA_FLOAT.byteSize();
        for (long i = 0; i < values; i++) {
            float grey = random.nextInt(GREY_LEVELS) / (float) (GREY_LEVELS - 1);
            minibatch.values().setAtIndex(JAVA_FLOAT, i, grey);
        }
        if (minibatch.shape() instanceof Shape.Tokens(int _, int vocabulary)) {
            Arrays.setAll(minibatch.tokens(), _ -> random.nextInt(vocabulary));
        }
        Arrays.setAll(minibatch.labels(), _ -> random.nextInt(classes));
    }
}
