package dev.equipoise.app.run;

/** How far the slowest rank of a run is; the fraction is from 0 to 1. */
public record Progress(int epoch, int epochs, int round, int rounds, double fraction) {

    /**
     * Of a run whose slowest rank is there; a completed one is at its end.
     *
     * @param epoch 0 before the first
     */
    static Progress of(Run run, int epoch, int round) {
        int epochs = run.configuration().training().epochs();
        int rounds = run.rounds();
        if (run.state() == RunState.COMPLETED) {
            return new Progress(epochs, epochs, rounds, rounds, 1.0);
        }
        return epoch == 0
                ? new Progress(0, epochs, 0, rounds, 0.0)
                : new Progress(
                        epoch,
                        epochs,
                        round,
                        rounds,
                        (epoch - 1 + round / (double) rounds) / epochs);
    }
}
