package dev.equipoise.agent.model;

import dev.equipoise.agent.dataset.Dataset;
import dev.equipoise.agent.network.Minibatch;
import dev.equipoise.agent.network.Network;
import dev.equipoise.agent.network.Objective;
import dev.equipoise.agent.network.TargetCode;
import dev.equipoise.agent.network.step.Backend;
import dev.equipoise.protocol.network.Architecture;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Network of a model file that predicts classes. Confined to one thread. */
final class Predictor implements AutoCloseable {

    private static final int MAX_BATCH = 256;

    /** Limit of the values between the layers of a mini-batch, in bytes. */
    private static final long MAX_ACTIVATION_BYTES = 1L << 28;

    private final Network network;
    private final Objective objective;

    private Predictor(Network network, Objective objective) {
        this.network = network;
        this.objective = objective;
    }

    /**
     * Loads the network of a file.
     *
     * @param targets target code of the classes
     * @throws IllegalArgumentException if the network does not end in a score for each class
     * @throws IOException if the file cannot be read to its end
     */
    static Predictor load(TrainedModelFile file, TargetCode targets, Backend backend)
            throws IOException {
        ModelDescription description = file.description();
        var objective = new Objective(description.loss(), targets);
        Network network = Network.of(description.network(), objective, backend);
        try {
            file.readInto(network.parameters());
            return new Predictor(network, objective);
        } catch (IOException | RuntimeException e) {
            network.close();
            throw e;
        }
    }

    /**
     * Predicts all samples, in their order.
     *
     * @param areLabeled whether the samples have labels
     * @param top number of classes of each prediction, at most {@link ClassRanking#most}
     * @throws IllegalArgumentException if the network takes samples of another shape
     */
    void predict(
            Dataset samples, boolean areLabeled, int top, Consumer<PredictedSample> predictions) {
        var ranking = new ClassRanking(objective, top);
        int[] order = IntStream.range(0, samples.size()).toArray();
        int batch = Math.min(batchSize(), samples.size());
        try (Arena memory = Arena.ofConfined()) {
            var minibatch = new Minibatch(samples.shape(), samples.positions(), batch, memory);
            for (int from = 0; from < order.length; from += batch) {
                samples.read(order, from, Math.min(batch, order.length - from), minibatch);
                predict(minibatch, from, areLabeled, ranking, predictions);
            }
        }
    }

    private void predict(
            Minibatch minibatch,
            int first,
            boolean areLabeled,
            ClassRanking ranking,
            Consumer<PredictedSample> predictions) {
        MemorySegment scores = network.scores(minibatch);
        int columns = network.architecture().scores();
        for (int sample = 0; sample < minibatch.size(); sample++) {
            for (int position = 0; position < minibatch.positions(); position++) {
                int row = position * minibatch.size() + sample;
                predictions.accept(
                        new PredictedSample(
                                first + sample,
                                position,
                                areLabeled ? minibatch.labels()[row] : null,
                                ranking.rank(scores, (long) row * columns)));
            }
        }
    }

    private int batchSize() {
        Architecture architecture = network.architecture();
        long bytes =
                architecture.stages().stream()
                        .mapToLong(stage -> 2L * Float.BYTES * stage.output().size())
                        .sum();
        return Math.clamp(MAX_ACTIVATION_BYTES / bytes, 1, MAX_BATCH);
    }

    @Override
    public void close() {
        network.close();
    }
}
