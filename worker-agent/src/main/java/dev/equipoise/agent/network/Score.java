package dev.equipoise.agent.network;

/**
 * Result of an evaluation.
 *
 * @param predictions one for each sample, or for each position of each sample
 * @param correct predictions whose highest score, or nearest target, is that of the label
 * @param lossSum sum of the losses
 */
public record Score(long predictions, long correct, double lossSum) {

    public static final Score NONE = new Score(0, 0, 0);

    public Score plus(Score other) {
        return new Score(
                predictions + other.predictions, correct + other.correct, lossSum + other.lossSum);
    }
}
