package dev.equipoise.agent.checkpoint;

import dev.equipoise.protocol.ReportReply;

/**
 * Store of the checkpoints of one training run. Only the training thread calls it, except for
 * {@link #keep}, which any one thread may call meanwhile.
 */
public interface Checkpoints {

    /**
     * Returns the epoch of the checkpoint from which the training resumes; 0 for a training from
     * the start.
     */
    int after();

    /** Returns how many ranks stored a part of that checkpoint; 0 without one. */
    int parts();

    /** Returns the latest reply of the service to a report of this rank. */
    ReportReply reply();

    /** Returns whether the definition asks for a checkpoint after an epoch. */
    boolean isDueAfter(int epoch);

    /**
     * Stores this rank's part of a checkpoint; a failure is only logged.
     *
     * @param ranks number of ranks that store a part, this one included
     * @return whether the service has the part
     */
    boolean keep(int epoch, int ranks, RankStatePart part) throws InterruptedException;

    /**
     * Overwrites the tensors of a part with those of the checkpoint from which the training
     * resumes.
     *
     * @param part whose numbers are ignored; if it has no common tensors, those of the checkpoint
     *     are skipped, and floats of the checkpoint beyond its own tensors are skipped too
     * @return the numbers
     * @throws RuntimeException which fails the assignment, when the part cannot be read or is
     *     corrupt
     */
    long[] load(RankStatePart part) throws InterruptedException;
}
