package dev.equipoise.agent.network;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** The mean over a mini-batch of -log softmax(scores)[label], and its derivative by the scores. */
final class SoftmaxCrossEntropy {
    private final MemorySegment scores;
    private final MemorySegment gradient;
    private final double[] exponentials;

    SoftmaxCrossEntropy(Activation activation, int classes) {
        this.scores = activation.value().memory();
        this.gradient = activation.gradient().memory();
        this.exponentials = new double[classes];
    }

    /** The mean loss; writes the gradient. */
    double gradient(Minibatch minibatch) {
        double sum = 0;
        for (int sample = 0; sample < minibatch.size(); sample++) {
            sum += gradient(sample, labelOf(minibatch, sample), minibatch.size());
        }
        return sum / minibatch.size();
    }

    int correct(Minibatch minibatch) {
        int correct = 0;
        for (int sample = 0; sample < minibatch.size(); sample++) {
            if (best(sample) == labelOf(minibatch, sample)) {
                correct++;
            }
        }
        return correct;
    }

    private double gradient(int sample, int label, int batch) {
        long row = (long) sample * exponentials.length;
        float max = scores.getAtIndex(JAVA_FLOAT, row + best(sample));
        double sum = 0;
        for (int i = 0; i < exponentials.length; i++) {
            // Shifted by the maximum, so that nothing overflows.
            exponentials[i] = Math.exp(scores.getAtIndex(JAVA_FLOAT, row + i) - max);
            sum += exponentials[i];
        }
        for (int i = 0; i < exponentials.length; i++) {
            double target = i == label ? 1 : 0;
            double derivative = (exponentials[i] / sum - target) / batch;
            gradient.setAtIndex(JAVA_FLOAT, row + i, (float) derivative);
        }
        return Math.log(sum) - (scores.getAtIndex(JAVA_FLOAT, row + label) - max);
    }

    private int best(int sample) {
        long row = (long) sample * exponentials.length;
        int best = 0;
        for (int i = 1; i < exponentials.length; i++) {
            if (scores.getAtIndex(JAVA_FLOAT, row + i)
                    > scores.getAtIndex(JAVA_FLOAT, row + best)) {
                best = i;
            }
        }
        return best;
    }

    private int labelOf(Minibatch minibatch, int sample) {
        return Objects.checkIndex(minibatch.labels()[sample], exponentials.length);
    }
}
