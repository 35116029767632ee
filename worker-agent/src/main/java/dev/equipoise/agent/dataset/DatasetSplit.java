package dev.equipoise.agent.dataset;

public record DatasetSplit(Dataset training, Dataset test) {

    /** The first training samples only; the test set stays whole, so that accuracies compare. */
    public DatasetSplit limit(int samples) {
        return new DatasetSplit(training.limit(samples), test);
    }
}
