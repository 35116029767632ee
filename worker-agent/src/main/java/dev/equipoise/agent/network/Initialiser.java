package dev.equipoise.agent.network;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.network.Layer.Convolution;
import dev.equipoise.agent.network.Layer.Dense;
import dev.equipoise.agent.network.Layer.MaxPool;
import dev.equipoise.agent.network.Layer.Relu;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.SplittableRandom;

/*
 * Normal weights and zero biases. Variances: He et al. 2015 (arXiv 1502.01852), eq. 10, 2 / fanIn,
 * where a ReLU takes the sums; Glorot and Bengio 2010, 2 / (fanIn + fanOut), where none does.
 *
 * The same seed has to give the same bits on every machine. ND4J's generators differ between its
 * binaries; here only the 64 bits of SplitMix64 are drawn, and the polar method of Marsaglia and
 * Bray (1964) uses strict arithmetic alone.
 */
final class Initialiser {
    private final SplittableRandom random;

    Initialiser(long seed) {
        this.random = new SplittableRandom(seed);
    }

    void fill(Architecture architecture, MemorySegment parameters) {
        parameters.fill((byte) 0);
        List<Stage> stages = architecture.stages();
        for (int i = 0; i < stages.size(); i++) {
            Stage stage = stages.get(i);
            double variance = 2.0 / (stage.fanIn() + (reluTakes(stages, i) ? 0 : stage.units()));
            fill(parameters, stage, StrictMath.sqrt(variance));
        }
    }

    private void fill(MemorySegment parameters, Stage stage, double deviation) {
        for (int i = 0; i < stage.weights(); i++) {
            parameters.setAtIndex(
                    JAVA_FLOAT, (long) stage.offset() + i, (float) (deviation * gaussian()));
        }
    }

    /** Whether the sums of a stage meet a ReLU before they meet other weights. */
    private static boolean reluTakes(List<Stage> stages, int index) {
        for (Stage next : stages.subList(index + 1, stages.size())) {
            switch (next.layer()) {
                case Relu _ -> {
                    return true;
                }
                case Convolution _, Dense _ -> {
                    return false;
                }
                case MaxPool _ -> {}
            }
        }
        return false;
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

    /** In [-1, 1). */
    private double uniform() {
        return (random.nextLong() >> 11) * 0x1p-52;
    }
}
