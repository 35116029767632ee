package dev.equipoise.agent.network;

/**
 * How well predictions meet labels.
 *
 * @param predictions one a sample, or one a sample and position
 * @param correct those whose highest score, or nearest target, is the label's
 * @param lossSum the sum of their losses
 */
public record Score(long predictions, long correct, double lossSum) {

    public static final Score NONE = new Score(0, 0, 0);

    public Score plus(Score other) {
        return new Score(
                predictions + other.predictions, correct + other.correct, lossSum + other.lossSum);
    }
}
