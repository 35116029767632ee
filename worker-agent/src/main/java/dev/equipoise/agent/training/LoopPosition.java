package dev.equipoise.agent.training;

/** Current position of a rank's loop, for messages; epoch 0 is before the first round. */
final class LoopPosition {

    private final int rank;
    private int epoch;
    private int round;

    LoopPosition(int rank) {
        this.rank = rank;
    }

    int rank() {
        return rank;
    }

    int epoch() {
        return epoch;
    }

    int round() {
        return round;
    }

    /**
     * Moves to the beginning of a round.
     *
     * @throws InterruptedException when the thread was interrupted, with this position
     */
    void moveTo(int newEpoch, int newRound) throws InterruptedException {
        epoch = newEpoch;
        round = newRound;
        requireNotInterrupted();
    }

    /**
     * Checks that the thread was not interrupted.
     *
     * @throws InterruptedException when it was, with this position
     */
    void requireNotInterrupted() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException(toString());
        }
    }

    @Override
    public String toString() {
        return "rank %d, epoch %d, round %d".formatted(rank, epoch, round);
    }
}
