package dev.equipoise.agent.network;

import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Loss;

/**
 * Objective of the training: a loss and the targets of the classes.
 *
 * @param targets target code, with which the squared error compares the scores
 */
public record Objective(Loss loss, TargetCode targets) {

    /** Returns the mean cross-entropy over this many classes. */
    public static Objective meanCrossEntropy(int classes) {
        return new Objective(
                new Loss(Loss.Kind.SOFTMAX_CROSS_ENTROPY, Loss.Reduction.MEAN),
                TargetCode.oneHot(classes));
    }

    /** Returns the number of scores that the loss compares. */
    int scores() {
        return switch (loss.kind()) {
            case SOFTMAX_CROSS_ENTROPY -> targets.classes();
            case SQUARED_ERROR -> targets.units();
        };
    }

    Objective requireFor(Architecture architecture) {
        if (architecture.scores() != scores()) {
            throw new IllegalArgumentException(
                    "network %s must end in %d scores, but ends in %s"
                            .formatted(architecture.name(), scores(), architecture.output()));
        }
        return this;
    }
}
