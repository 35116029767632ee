package dev.equipoise.agent.checkpoint;

import dev.equipoise.protocol.ReportReply;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Where the checkpoints of one training go, and come from. The thread that trains calls. */
public interface Checkpoints {

    /** The epoch whose checkpoint the training begins with; 0 where it begins at the beginning. */
    int after();

    /** What the service wishes, as far as this rank has heard. */
    ReportReply wish();

    /** Whether one is to be left after an epoch, whatever the service wishes. */
    boolean isDueAfter(int epoch);

    /**
     * Hands a checkpoint over; a failure of that is told to nobody but the log.
     *
     * @param ranks by rank
     * @param tensors the weights, and behind them what the optimizer remembers; float32, all of one
     *     length
     * @return whether it is kept, so that the training may be stopped
     */
    boolean keep(int epoch, List<RankState> ranks, List<MemorySegment> tensors)
            throws InterruptedException;

    /**
     * Overwrites tensors by those of the checkpoint with which the training begins.
     *
     * @return the states of the ranks, of which there must be so many
     * @throws RuntimeException which fails the assignment, where it cannot be had or is not whole
     */
    List<RankState> load(int ranks, List<MemorySegment> tensors) throws InterruptedException;
}
