package dev.equipoise.agent.collective;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.Content;
import dev.equipoise.agent.channel.LinkLimits;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Some ranks of a channel among themselves, numbered anew in the order in which they are given. It
 * has no links of its own: what it sends is counted, held back and ended by the whole channel.
 */
public final class GroupChannel implements Channel {

    private final Channel whole;
    private final List<Integer> ranks;
    private final int rank;

    /**
     * @param ranks of the whole channel, this one among them, each once; equal on all of these
     */
    public GroupChannel(Channel whole, List<Integer> ranks) {
        this.whole = whole;
        this.ranks = List.copyOf(ranks);
        this.rank = ranks.indexOf(whole.rank());
        if (rank < 0
                || ranks.stream().distinct().count() < ranks.size()
                || ranks.stream().anyMatch(each -> each < 0 || each >= whole.size())) {
            throw new IllegalArgumentException(
                    "rank %d of %d must be in its group, and each rank once, but that is %s"
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

    /** Of the whole channel. */
    @Override
    public boolean hasLosses() {
        return whole.hasLosses();
    }

    /** The whole channel does. */
    @Override
    public void bearLosses() {
        whole.bearLosses();
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
    public void send(int to, Content content, MemorySegment memory, long offset, long bytes) {
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

    /** None but ranks of the group may have rooms posted for them. */
    @Override
    public int awaitAny() {
        return ranks.indexOf(whole.awaitAny());
    }

    @Override
    public Received receiveAtMost(int from, MemorySegment room) {
        return whole.receiveAtMost(ranks.get(from), room);
    }

    @Override
    public void awaitSent(int to) {
        whole.awaitSent(ranks.get(to));
    }

    @Override
    public void limit(int to, LinkLimits limits) {
        whole.limit(ranks.get(to), limits);
    }

    /** Of the whole channel. */
    @Override
    public long bytesSent() {
        return whole.bytesSent();
    }

    /** Of the whole channel. */
    @Override
    public long framesSent() {
        return whole.framesSent();
    }

    /** Of the whole channel. */
    @Override
    public long staleFrames() {
        return whole.staleFrames();
    }

    /** Closes the whole channel, as whoever waits in a group waits in all that comes behind it. */
    @Override
    public void close() {
        whole.close();
    }
}
