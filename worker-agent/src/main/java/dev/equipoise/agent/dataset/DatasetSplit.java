package dev.equipoise.agent.dataset;

import dev.equipoise.agent.network.TargetCode;
import dev.equipoise.protocol.dataset.Augmentation;

/**
 * Training set and test set of a run.
 *
 * @param targets target code of the classes for a squared error loss
 */
public record DatasetSplit(Dataset training, Dataset test, TargetCode targets) {

    /** Returns a split with a one-hot target code. */
    static DatasetSplit of(Dataset training, Dataset test) {
        return new DatasetSplit(training, test, TargetCode.oneHot(training.classes()));
    }

    /** Returns the first training samples and the whole test set, so that accuracies compare. */
    public DatasetSplit limit(int samples) {
        return new DatasetSplit(training.limit(samples), test, targets);
    }

    /**
     * Returns a split whose training images are augmented; the test set stays as it is.
     *
     * @param seed of the run
     */
    public DatasetSplit augmented(Augmentation augmentation, long seed) {
        return new DatasetSplit(training.augmented(augmentation, seed), test, targets);
    }
}
