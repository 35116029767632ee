package dev.equipoise.agent.server;

/**
 * The learning rates with which gradients were applied, including the staleness correction.
 *
 * @param count number of gradients, counted for each shard
 * @param sum of their learning rates
 */
public record LearningRates(long count, double sum) {

    /** The learning rates of no gradients. */
    public static final LearningRates NONE = new LearningRates(0, 0);

    LearningRates plus(double rate) {
        return new LearningRates(count + 1, sum + rate);
    }

    /** Adds the learning rates of another server. */
    public LearningRates plus(LearningRates other) {
        return new LearningRates(count + other.count, sum + other.sum);
    }

    /** The mean learning rate; 0 if there are no gradients. */
    public double mean() {
        return count == 0 ? 0 : sum / count;
    }
}
