package dev.equipoise.benchmarks.learn;

import dev.equipoise.protocol.ChannelKind;
import dev.equipoise.protocol.Clipping;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.Observation;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.Schedule;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.TrainingPlan;
import dev.equipoise.protocol.dataset.DatasetSpec;
import dev.equipoise.protocol.dataset.Normalization;
import dev.equipoise.protocol.dataset.PublishedSpec;
import dev.equipoise.protocol.dataset.PublishedSpec.Brown;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Loss;
import dev.equipoise.protocol.network.Preset;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Training task: preset, data set, optimizer and epochs. */
enum LearningTask {
    /** Reaches an accuracy of 99 % in at most ten epochs. */
    MNIST_CNN("mnist-cnn", 10, 64) {
        @Override
        DatasetSpec dataset() {
            return new PublishedSpec.Mnist(new Normalization.Unit(), 60_000);
        }

        @Override
        Architecture network() {
            return Preset.MNIST_CNN.architecture();
        }

        @Override
        OptimizerSpec optimizer() {
            return momentum(0.02);
        }
    },

    /** Reaches an accuracy of 60 % with 20,000 training images in at most 20 epochs. */
    CIFAR_QUICK("cifar-quick", 20, 64) {
        @Override
        DatasetSpec dataset() {
            return new PublishedSpec.Cifar10(
                    new Normalization.Standardize(
                            List.of(0.4914, 0.4822, 0.4465), List.of(0.2470, 0.2435, 0.2616)),
                    20_000);
        }

        @Override
        Architecture network() {
            return Preset.CIFAR_QUICK.architecture();
        }

        @Override
        OptimizerSpec optimizer() {
            return momentum(0.01);
        }
    },

    /**
     * Reaches a lower perplexity on held-out sentences than a smoothed bigram of the same
     * vocabulary.
     */
    FEED_FORWARD_LM("feed-forward-lm", 4, 256) {
        private static final int VOCABULARY = 10_000;
        private static final int HIDDEN = 128;

        @Override
        DatasetSpec dataset() {
            DatasetSpec all = new Brown(Brown.View.WINDOWS, VOCABULARY, 4, 1);
            return new Brown(Brown.View.WINDOWS, VOCABULARY, 4, all.trainingSamples());
        }

        @Override
        Architecture network() {
            DatasetSpec dataset = dataset();
            return Preset.FEED_FORWARD_LM.architecture(dataset.input(), dataset.classes(), HIDDEN);
        }

        @Override
        OptimizerSpec optimizer() {
            return new OptimizerSpec.Adam(
                    0.002, 0.9, 0.999, 1e-8, new Schedule.Cosine(0.05, 0), new Clipping.None());
        }
    };

    private final String label;
    private final int epochs;
    private final int batch;

    LearningTask(String label, int epochs, int batch) {
        this.label = label;
        this.epochs = epochs;
        this.batch = batch;
    }

    static Optional<LearningTask> named(String label) {
        return Arrays.stream(values()).filter(task -> task.label.equals(label)).findFirst();
    }

    String label() {
        return label;
    }

    int batch() {
        return batch;
    }

    abstract DatasetSpec dataset();

    abstract Architecture network();

    abstract OptimizerSpec optimizer();

    TrainingPlan plan(long seed) {
        int samples = dataset().limit();
        return new TrainingPlan(
                dataset(),
                network(),
                new Loss(Loss.Kind.SOFTMAX_CROSS_ENTROPY, Loss.Reduction.MEAN),
                optimizer(),
                epochs,
                Observation.every(1),
                seed,
                TrainingPlan.EpochDivision.of(List.of(samples), Math.ceilDiv(samples, batch)),
                new Method(
                        new Synchronization.Bsp(),
                        Topology.AllReduce.by(Topology.Algorithm.RING),
                        new Compression.None()),
                ChannelKind.DIRECT,
                new Execution.Real(),
                List.of(),
                List.of());
    }

    private static OptimizerSpec momentum(double learningRate) {
        return new OptimizerSpec.Sgd(
                learningRate, 0.9, false, new Schedule.Cosine(0.01, 0), new Clipping.None());
    }
}
