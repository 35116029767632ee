package dev.equipoise.agent.server;

/**
 * The learning rates with which gradients were applied, staleness considered.
 *
 * @param count of the gradients, each shard's by itself
 * @param sum of their learning rates
 */
public record LearningRates(long count, double sum) {

    /** Of no gradients. */
    public static final LearningRates NONE = new LearningRates(0, 0);

    LearningRates plus(double rate) {
        return new LearningRates(count + 1, sum + rate);
    }

    /** Those of both, as of several servers. */
    public LearningRates plus(LearningRates other) {
        return new LearningRates(count + other.count, sum + other.sum);
    }

    /** The mean learning rate; 0 of no gradients. */
    public double mean() {
        return count == 0 ? 0 : sum / count;
    }
}
