package dev.equipoise.agent.instrument;

/** Run phase of a rank, as in {@link dev.equipoise.protocol.RunPhases}. */
public enum RunPhase {
    /** Connecting to all peers. */
    RENDEZVOUS,
    /** Fetching, checking and loading the data set, and comparing it with those of other ranks. */
    DATA,
    /** Building the network, and rounds without effect. */
    WARM_UP,
    /** Loading the state from which the training resumes. */
    RESTORE,
    /** All-reduce calibration. */
    CALIBRATION,
    /** Training or serving an epoch. */
    TRAINING,
    /** Evaluating on the test set. */
    EVALUATION,
    /** Copying the rank state for a checkpoint, and waiting for an earlier upload. */
    CHECKPOINT,
    /** Votes, timestamps and reports between the other phases, and waiting for lost ranks. */
    COORDINATION
}
