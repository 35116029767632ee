package dev.equipoise.protocol;

/**
 * Position of a training at a point where all ranks have the same weights.
 *
 * @param epoch epoch, from 1
 * @param round number of completed rounds of the epoch
 * @param sample number of samples of the epoch's permutation that all ranks took in these rounds
 */
public record Position(int epoch, int round, int sample) {

    public Position {
        Rules.atLeast("epoch", epoch, 1);
        Rules.atLeast("round", round, 0);
        Rules.atLeast("sample", sample, 0);
    }

    /** Returns the position before the first round of an epoch. */
    public static Position beginning(int epoch) {
        return new Position(epoch, 0, 0);
    }

    /**
     * Returns the number of rounds completed since the run began.
     *
     * @param rounds of an epoch
     */
    public long step(int rounds) {
        return (epoch - 1L) * rounds + round;
    }
}
