package dev.equipoise.agent.checkpoint;

import dev.equipoise.protocol.ReportReply;

/** Where the checkpoints of one training go, and come from. The thread that trains calls. */
public interface Checkpoints {

    /** The epoch whose checkpoint the training begins with; 0 where it begins at the beginning. */
    int after();

    /** How many ranks have left a part of that checkpoint; 0 where there is none. */
    int parts();

    /** What the service wishes, as far as this rank has heard. */
    ReportReply wish();

    /** Whether one is to be left after an epoch, whatever the service wishes. */
    boolean isDueAfter(int epoch);

    /**
     * Hands this rank's part of a checkpoint over; a failure of that is told to nobody but the log.
     *
     * @param ranks that hand theirs over as well, this one among them
     * @return whether it is kept
     */
    boolean keep(int epoch, int ranks, Part part) throws InterruptedException;

    /**
     * Overwrites the tensors of a part by those of the checkpoint with which the training begins.
     *
     * @param part whose numbers are not looked at; without common tensors those are left out, and
     *     what the rank has for itself may have more at its end, which is left out too
     * @return the numbers
     * @throws RuntimeException which fails the assignment, where it cannot be had or is not whole
     */
    long[] load(Part part) throws InterruptedException;
}
