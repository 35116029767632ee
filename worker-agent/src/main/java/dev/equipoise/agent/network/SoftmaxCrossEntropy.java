package dev.equipoise.agent.network;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.network.step.Activation;
import dev.equipoise.agent.network.step.Compiler;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Softmax cross-entropy, -log softmax(scores)[label]; its derivative by the scores is the softmax
 * minus one at the label.
 */
final class SoftmaxCrossEntropy implements Prediction {
    private final int rows;
    private final int classes;
    private final float scale;
    private final MemorySegment scores;
    private final MemorySegment gradient;
    private final Runnable softmax;

    SoftmaxCrossEntropy(Activation activation, float scale, Compiler compiler) {
        this.rows = activation.rows();
        this.classes = activation.columns();
        this.scale = scale;
        this.scores = activation.value().memory();
        this.gradient = activation.wantedGradient().memory();
        this.softmax =
                compiler.softmax(
                        activation.value().reshape(rows, classes),
                        activation.wantedGradient().reshape(rows, classes),
                        scale);
    }

    @Override
    public double gradient(int[] labels) {
        softmax.run();
        double sum = 0;
        for (int row = 0; row < rows; row++) {
            sum += loss(row, labels[row]);
            long at = at(row, labels[row]);
            gradient.setAtIndex(JAVA_FLOAT, at, gradient.getAtIndex(JAVA_FLOAT, at) - scale);
        }
        return sum / rows;
    }

    @Override
    public Score score(int[] labels) {
        softmax.run();
        int correct = 0;
        double sum = 0;
        for (int row = 0; row < rows; row++) {
            sum += loss(row, labels[row]);
            correct += best(row) == labels[row] ? 1 : 0;
        }
        return new Score(rows, correct, sum);
    }

    /** Computes the loss; a probability may underflow a float although its logarithm does not. */
    private double loss(int row, int label) {
        float scaled = gradient.getAtIndex(JAVA_FLOAT, at(row, label));
        return scaled > Float.MIN_NORMAL ? -Math.log(scaled / scale) : exactLoss(row, label);
    }

    private double exactLoss(int row, int label) {
        long start = (long) row * classes;
        float max = scores.getAtIndex(JAVA_FLOAT, start + best(row));
        double sum = 0;
        for (int i = 0; i < classes; i++) {
            // Shifts by the maximum, so that nothing overflows.
            sum += Math.exp(scores.getAtIndex(JAVA_FLOAT, start + i) - max);
        }
        return Math.log(sum) - (scores.getAtIndex(JAVA_FLOAT, at(row, label)) - max);
    }

    private int best(int row) {
        long start = (long) row * classes;
        int best = 0;
        float max = scores.getAtIndex(JAVA_FLOAT, start);
        for (int i = 1; i < classes; i++) {
            float score = scores.getAtIndex(JAVA_FLOAT, start + i);
            if (score > max) {
                max = score;
                best = i;
            }
        }
        return best;
    }

    private long at(int row, int label) {
        return (long) row * classes + Objects.checkIndex(label, classes);
    }
}
