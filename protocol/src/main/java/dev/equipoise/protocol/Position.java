package dev.equipoise.protocol;

/**
 * Where a training is at a moment at which all of its ranks have the same weights.
 *
 * @param epoch from 1
 * @param round how many rounds of the epoch are done
 * @param sample how many samples of the epoch's order the ranks have taken in these, all together
 */
public record Position(int epoch, int round, int sample) {

    public Position {
        Rules.atLeast("epoch", epoch, 1);
        Rules.atLeast("round", round, 0);
        Rules.atLeast("sample", sample, 0);
    }

    /** Before the first round of an epoch. */
    public static Position beginning(int epoch) {
        return new Position(epoch, 0, 0);
    }

    /**
     * How many rounds are done since the run began.
     *
     * @param rounds of an epoch
     */
    public long step(int rounds) {
        return (epoch - 1L) * rounds + round;
    }
}
