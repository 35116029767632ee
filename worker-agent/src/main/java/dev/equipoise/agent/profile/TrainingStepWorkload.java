package dev.equipoise.agent.profile;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.network.Minibatch;
import dev.equipoise.agent.network.Network;
import dev.equipoise.agent.network.Objective;
import dev.equipoise.agent.network.step.Backend;
import dev.equipoise.agent.optimizer.Optimizer;
import dev.equipoise.agent.optimizer.OptimizerState;
import dev.equipoise.agent.time.Throttle;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Shape;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Training steps on noise in place of images, at the throttled speed of the worker. */
final class TrainingStepWorkload implements Workload {

    private static final long SEED = 1;
    private static final int GRAY_LEVELS = 256;
    private static final double LEARNING_RATE = 0.01;

    private final Throttle throttle;
    private final Arena memory = Arena.ofShared();
    private final Network network;
    private final Minibatch minibatch;
    private final Optimizer optimizer;
    private OptimizerState optimizerState;

    TrainingStepWorkload(
            Architecture architecture, int largestSize, Throttle throttle, Backend backend) {
        this.throttle = throttle;
        this.network =
                Network.of(
                        architecture, Objective.meanCrossEntropy(architecture.scores()), backend);
        this.minibatch =
                new Minibatch(architecture.input(), architecture.positions(), largestSize, memory);
        this.optimizer =
                Optimizer.of(new OptimizerSpec.Sgd(LEARNING_RATE), 1, 1, network.descent());
        this.optimizerState = optimizer.initialState(network.parameterCount(), memory);
        network.initialize(SEED);
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
        throttle.begin();
        network.gradient(minibatch, throttle::rest);
        optimizerState = optimizer.step(optimizerState, network.parameters(), network.gradient());
        throttle.end();
    }

    private void fillWithNoise(int samples, int classes) {
        var random = new SplittableRandom(SEED);
        minibatch.resize(samples);
        long values = minibatch.values().byteSize() / JAVA_FLOAT.byteSize();
        for (long i = 0; i < values; i++) {
            float gray = random.nextInt(GRAY_LEVELS) / (float) (GRAY_LEVELS - 1);
            minibatch.values().setAtIndex(JAVA_FLOAT, i, gray);
        }
        if (minibatch.shape() instanceof Shape.Tokens(int _, int vocabulary)) {
            Arrays.setAll(minibatch.tokens(), _ -> random.nextInt(vocabulary));
        }
        Arrays.setAll(minibatch.labels(), _ -> random.nextInt(classes));
    }
}
