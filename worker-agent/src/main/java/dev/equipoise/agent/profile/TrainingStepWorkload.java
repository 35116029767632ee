package dev.equipoise.agent.profile;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.network.Architecture;
import dev.equipoise.agent.network.Minibatch;
import dev.equipoise.agent.network.Network;
import dev.equipoise.agent.optimizer.Optimizer;
import dev.equipoise.agent.optimizer.Sgd;
import dev.equipoise.agent.time.Pace;
import java.util.SplittableRandom;

/** The step that a replica repeats, on noise in place of images and at the worker's pace. */
final class TrainingStepWorkload implements Workload {

    private static final long SEED = 1;
    private static final int GREY_LEVELS = 256;
    private static final float LEARNING_RATE = 0.01f;

    private final Pace pace;
    private final Network network;
    private final Minibatch minibatch;
    private final Optimizer optimizer = new Sgd(LEARNING_RATE);

    TrainingStepWorkload(Architecture architecture, int largestSize, Pace pace) {
        this.pace = pace;
        this.network = Network.of(architecture);
        this.minibatch = new Minibatch(architecture.input().ofProtocol(), 1, largestSize);
        network.initialise(SEED);
        fillWithNoise(largestSize, architecture.classes());
    }

    @Override
    public Runnable at(int size) {
        minibatch.resize(size);
        return this::step;
    }

    @Override
    public void close() {
        network.close();
    }

    private void step() {
        pace.begin();
        network.gradient(minibatch, pace::rest);
        optimizer.step(network.parameters(), network.gradient());
        pace.end();
    }

    private void fillWithNoise(int samples, int classes) {
        var random = new SplittableRandom(SEED);
        minibatch.resize(samples);
        long pixels = minibatch.values().byteSize() / JAVA_FLOAT.byteSize();
        for (long i = 0; i < pixels; i++) {
            float grey = random.nextInt(GREY_LEVELS) / (float) (GREY_LEVELS - 1);
            minibatch.values().setAtIndex(JAVA_FLOAT, i, grey);
        }
        for (int i = 0; i < samples; i++) {
            minibatch.label(i, 0, random.nextInt(classes));
        }
    }
}
