package dev.equipoise.agent.network;

import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Loss;

/**
 * What training makes small.
 *
 * @param targets what squared error compares the scores with
 */
public record Objective(Loss loss, TargetCode targets) {

    /** The mean cross-entropy over so many classes. */
    public static Objective meanCrossEntropy(int classes) {
        return new Objective(
                new Loss(Loss.Kind.SOFTMAX_CROSS_ENTROPY, Loss.Reduction.MEAN),
                TargetCode.oneHot(classes));
    }

    /** As many scores as the loss compares. */
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
