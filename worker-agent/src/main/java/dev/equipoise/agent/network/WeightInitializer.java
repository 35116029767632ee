package dev.equipoise.agent.network;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Layer;
import dev.equipoise.protocol.network.Layer.Convolution;
import dev.equipoise.protocol.network.Layer.Dense;
import dev.equipoise.protocol.network.Layer.Embedding;
import dev.equipoise.protocol.network.Layer.Lstm;
import dev.equipoise.protocol.network.Layer.Relu;
import dev.equipoise.protocol.network.Layer.Rnn;
import dev.equipoise.protocol.network.Stage;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.SplittableRandom;

/*
 * Normal weights and zero biases. Variances: He et al. 2015 (arXiv 1502.01852), eq. 10, 2 / fanIn,
 * where a ReLU follows; Glorot and Bengio 2010, 2 / (fanIn + fanOut), elsewhere, which a recurrent
 * layer applies to each gate by itself. An embedding's rows have the deviation 0.1, and the bias of
 * an LSTM's forget gate is 1, so that it remembers at first (Jozefowicz et al., 2015).
 *
 * Equal seeds must give equal bits on every host. ND4J's generators differ between its binaries;
 * here only the 64 bits of SplitMix64 are drawn, and the polar method of Marsaglia and Bray (1964)
 * uses strict arithmetic alone.
 */
final class WeightInitializer {
    private static final double EMBEDDING_DEVIATION = 0.1;

    private final SplittableRandom random;

    WeightInitializer(long seed) {
        this.random = new SplittableRandom(seed);
    }

    void fill(Architecture architecture, MemorySegment parameters) {
        parameters.fill((byte) 0);
        List<Stage> stages = architecture.stages();
        for (int i = 0; i < stages.size(); i++) {
            fill(parameters, stages.get(i), deviation(stages, i));
            if (stages.get(i).layer() instanceof Lstm(int units)) {
                openForgetGate(parameters, stages.get(i), units);
            }
        }
    }

    private static double deviation(List<Stage> stages, int index) {
        Stage stage = stages.get(index);
        return switch (stage.layer()) {
            case Embedding _ -> EMBEDDING_DEVIATION;
            case Rnn(int units) -> StrictMath.sqrt(2.0 / (stage.fanIn() + units));
            case Lstm(int units) -> StrictMath.sqrt(2.0 / (stage.fanIn() + units));
            default -> {
                double fanOut = reluFollows(stages, index) ? 0 : fanOut(stage);
                yield StrictMath.sqrt(2 / (stage.fanIn() + fanOut));
            }
        };
    }

    /**
     * Returns the fan-out; for a convolution, each input value reaches as many outputs as a filter
     * has positions.
     */
    private static double fanOut(Stage stage) {
        return stage.layer() instanceof Convolution convolution
                ? (double) stage.units() * convolution.kernel() * convolution.kernel()
                : stage.units();
    }

    private void fill(MemorySegment parameters, Stage stage, double deviation) {
        for (int i = 0; i < stage.weights(); i++) {
            parameters.setAtIndex(
                    JAVA_FLOAT, (long) stage.offset() + i, (float) (deviation * gaussian()));
        }
    }

    private static void openForgetGate(MemorySegment parameters, Stage stage, int units) {
        int start = stage.offset() + stage.weights() + units;
        for (int i = start; i < start + units; i++) {
            parameters.setAtIndex(JAVA_FLOAT, i, 1);
        }
    }

    /** Returns whether the sums of a stage reach a ReLU before other weights. */
    private static boolean reluFollows(List<Stage> stages, int index) {
        return stages.subList(index + 1, stages.size()).stream()
                .map(Stage::layer)
                .filter(layer -> layer instanceof Relu || learns(layer))
                .findFirst()
                .filter(Relu.class::isInstance)
                .isPresent();
    }

    private static boolean learns(Layer layer) {
        return switch (layer) {
            case Convolution _, Dense _, Embedding _, Rnn _, Lstm _ -> true;
            default -> false;
        };
    }

    private double gaussian() {
        while (true) {
            double x = uniform();
            double y = uniform();
            double square = x * x + y * y;
            if (square > 0 && square < 1) {
                return x * StrictMath.sqrt(-2 * StrictMath.log(square) / square);
            }
        }
    }

    /** Draws from [-1, 1). */
    private double uniform() {
        return (random.nextLong() >> 11) * 0x1p-52;
    }
}
