package dev.equipoise.agent.collective;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.LinkLimits;
import dev.equipoise.agent.channel.PayloadType;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * A channel of some ranks of another channel, renumbered in the given order. It has no links of its
 * own: the whole channel counts its traffic, shapes its links and closes them.
 */
public final class GroupChannel implements Channel {

    private final Channel whole;
    private final List<Integer> ranks;
    private final int rank;

    /**
     * @param ranks ranks of the whole channel, including this one, each once; equal on all of them
     */
    public GroupChannel(Channel whole, List<Integer> ranks) {
        this.whole = whole;
        this.ranks = List.copyOf(ranks);
        this.rank = ranks.indexOf(whole.rank());
        if (rank < 0
                || ranks.stream().distinct().count() < ranks.size()
                || ranks.stream().anyMatch(each -> each < 0 || each >= whole.size())) {
            throw new IllegalArgumentException(
                    ("rank %d of %d must be in its group, which must have each rank once, but the"
                                    + " group is %s")
                            .formatted(whole.rank(), whole.size(), ranks));
        }
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int size() {
        return ranks.size();
    }

    @Override
    public boolean isLost(int peer) {
        return whole.isLost(ranks.get(peer));
    }

    /** Returns whether any peer of the whole channel was lost. */
    @Override
    public boolean hasLosses() {
        return whole.hasLosses();
    }

    /** Makes the whole channel tolerate lost peers. */
    @Override
    public void tolerateLosses() {
        whole.tolerateLosses();
    }

    @Override
    public void lose(int peer) {
        whole.lose(ranks.get(peer));
    }

    @Override
    public boolean awaitReceivedOrLost(int from) {
        return whole.awaitReceivedOrLost(ranks.get(from));
    }

    @Override
    public void send(int to, PayloadType content, MemorySegment memory, long offset, long bytes) {
        whole.send(ranks.get(to), content, memory, offset, bytes);
    }

    @Override
    public void receive(int from, MemorySegment memory, long offset, long bytes) {
        whole.receive(ranks.get(from), memory, offset, bytes);
    }

    @Override
    public void awaitReceived(int from) {
        whole.awaitReceived(ranks.get(from));
    }

    /**
     * Waits for a frame of any rank of the group; receive buffers may be posted for its ranks only.
     */
    @Override
    public int awaitAny() {
        return ranks.indexOf(whole.awaitAny());
    }

    @Override
    public Received receiveAtMost(int from, MemorySegment buffer) {
        return whole.receiveAtMost(ranks.get(from), buffer);
    }

    @Override
    public void awaitSent(int to) {
        whole.awaitSent(ranks.get(to));
    }

    @Override
    public void limit(int to, LinkLimits limits) {
        whole.limit(ranks.get(to), limits);
    }

    @Override
    public long bytesSent() {
        return whole.bytesSent();
    }

    @Override
    public long framesSent() {
        return whole.framesSent();
    }

    @Override
    public long staleFrames() {
        return whole.staleFrames();
    }

    /**
     * Closes the whole channel, since a rank that waits in a group blocks all later exchanges too.
     */
    @Override
    public void close() {
        whole.close();
    }
}
