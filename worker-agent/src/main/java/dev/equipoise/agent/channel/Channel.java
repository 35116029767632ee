package dev.equipoise.agent.channel;

import java.lang.foreign.MemorySegment;

/**
 * Joins the ranks of one run. A rank owns its channel: one thread exchanges, any thread may close.
 *
 * <p>Segments are read and written in place. They must be accessible from any thread, since a peer
 * in the same process copies straight out of them, and should be native, since heap memory costs a
 * copy on its way to a socket. Each holds at most 2 GB.
 *
 * <p>A channel that has failed once is closed and stays closed, so that a failure reaches every
 * rank that waits for this one.
 */
public interface Channel extends AutoCloseable {

    /** The place of this rank among {@code 0 .. size - 1}. */
    int rank();

    int size();

    /**
     * Sends {@code out} to one rank while it fills {@code in} from another or the same one. Returns
     * when {@code out} may be changed and {@code in} is complete. An empty segment travels as an
     * empty frame, so that both sides count the same frames.
     *
     * @throws ChannelFailed when a peer is gone, silent for too long or sends another frame than
     *     the one expected, and when this channel is closed; {@code in} is then undefined
     */
    void exchange(int to, MemorySegment out, int from, MemorySegment in);

    /** The bytes of all frames sent so far, headers included. */
    long bytesSent();

    /** Makes the exchange that is under way, and any later one, fail; may be called twice. */
    @Override
    void close();
}
