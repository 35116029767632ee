package dev.equipoise.agent.dataset;

import dev.equipoise.agent.network.TargetCode;

/**
 * The data of a run.
 *
 * @param targets what the classes are where the loss is a squared error
 */
public record DatasetSplit(Dataset training, Dataset test, TargetCode targets) {

    /** A split whose target code is one unit a class. */
    static DatasetSplit of(Dataset training, Dataset test) {
        return new DatasetSplit(training, test, TargetCode.oneHot(training.classes()));
    }

    /** The first training samples only; the test set stays whole, so that accuracies compare. */
    public DatasetSplit limit(int samples) {
        return new DatasetSplit(training.limit(samples), test, targets);
    }
}
