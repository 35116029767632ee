package dev.equipoise.protocol;

/**
 * Times of a rank by run phase, in seconds of the rank's clock, from the start of its assignment.
 * The end of one phase is the beginning of the next, so that the phases sum to the elapsed time.
 * Ranks of a virtual run have no time but the training time.
 *
 * @param rendezvousSeconds connecting to all peers
 * @param dataSeconds fetching, checking and loading the dataset
 * @param warmUpSeconds building the network, and rounds without effect
 * @param restoreSeconds loading the state from which the training resumes
 * @param calibrationSeconds all-reduce calibration
 * @param trainingSeconds epochs, rounds that are trained again later included
 * @param evaluationSeconds evaluating on the test set
 * @param checkpointSeconds copying the rank state, and waiting for the upload of an earlier copy
 *     and for the copies of other ranks
 * @param coordinationSeconds votes, timestamps and reports between the other phases, and waiting
 *     for lost ranks
 */
public record RunPhases(
        double rendezvousSeconds,
        double dataSeconds,
        double warmUpSeconds,
        double restoreSeconds,
        double calibrationSeconds,
        double trainingSeconds,
        double evaluationSeconds,
        double checkpointSeconds,
        double coordinationSeconds) {

    /** No time in any phase. */
    public static final RunPhases NONE = new RunPhases(0, 0, 0, 0, 0, 0, 0, 0, 0);

    public RunPhases {
        Rules.atLeast("rendezvousSeconds", rendezvousSeconds, 0.0);
        Rules.atLeast("dataSeconds", dataSeconds, 0.0);
        Rules.atLeast("warmUpSeconds", warmUpSeconds, 0.0);
        Rules.atLeast("restoreSeconds", restoreSeconds, 0.0);
        Rules.atLeast("calibrationSeconds", calibrationSeconds, 0.0);
        Rules.atLeast("trainingSeconds", trainingSeconds, 0.0);
        Rules.atLeast("evaluationSeconds", evaluationSeconds, 0.0);
        Rules.atLeast("checkpointSeconds", checkpointSeconds, 0.0);
        Rules.atLeast("coordinationSeconds", coordinationSeconds, 0.0);
    }

    /** Returns the times of a virtual run, whose clock runs during its epochs only. */
    public static RunPhases ofTraining(double seconds) {
        return new RunPhases(0, 0, 0, 0, 0, seconds, 0, 0, 0);
    }

    /** Returns the sum, phase by phase. */
    public RunPhases plus(RunPhases other) {
        return new RunPhases(
                rendezvousSeconds + other.rendezvousSeconds,
                dataSeconds + other.dataSeconds,
                warmUpSeconds + other.warmUpSeconds,
                restoreSeconds + other.restoreSeconds,
                calibrationSeconds + other.calibrationSeconds,
                trainingSeconds + other.trainingSeconds,
                evaluationSeconds + other.evaluationSeconds,
                checkpointSeconds + other.checkpointSeconds,
                coordinationSeconds + other.coordinationSeconds);
    }

    /** Returns the sum over all phases, in seconds. */
    public double sum() {
        return rendezvousSeconds
                + dataSeconds
                + warmUpSeconds
                + restoreSeconds
                + calibrationSeconds
                + trainingSeconds
                + evaluationSeconds
                + checkpointSeconds
                + coordinationSeconds;
    }
}
