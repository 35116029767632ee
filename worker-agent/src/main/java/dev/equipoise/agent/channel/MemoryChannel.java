package dev.equipoise.agent.channel;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A channel between threads of one process: the receiver copies straight out of the sender's
 * segment. Counts the bytes that the same frames would take on a socket, so that figures compare.
 */
public final class MemoryChannel implements Channel {

    private final int rank;
    private final List<List<Handover>> handovers;
    private long bytesSent;

    private MemoryChannel(int rank, List<List<Handover>> handovers) {
        this.rank = rank;
        this.handovers = handovers;
    }

    /** The channels of all ranks, in their order. */
    public static List<Channel> join(int size) {
        List<List<Handover>> handovers =
                IntStream.range(0, size).mapToObj(from -> row(from, size)).toList();
        return IntStream.range(0, size)
                .<Channel>mapToObj(rank -> new MemoryChannel(rank, handovers))
                .toList();
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int size() {
        return handovers.size();
    }

    @Override
    public void exchange(int to, MemorySegment out, int from, MemorySegment in) {
        Handover outgoing = handover(rank, requirePeer(to));
        Handover incoming = handover(requirePeer(from), rank);
        try {
            outgoing.offer(out);
            incoming.take(in);
            outgoing.awaitTaken();
        } catch (ChannelFailed e) {
            close();
            throw e;
        }
        bytesSent += FrameHeader.BYTES + out.byteSize();
    }

    @Override
    public long bytesSent() {
        return bytesSent;
    }

    @Override
    public void close() {
        for (int peer = 0; peer < size(); peer++) {
            handover(rank, peer).close();
            handover(peer, rank).close();
        }
    }

    private Handover handover(int from, int to) {
        return handovers.get(from).get(to);
    }

    private int requirePeer(int peer) {
        if (peer < 0 || peer >= size() || peer == rank) {
            throw new IllegalArgumentException(
                    "the peer of rank %d must be another rank below %d, but was %d"
                            .formatted(rank, size(), peer));
        }
        return peer;
    }

    private static List<Handover> row(int from, int size) {
        return IntStream.range(0, size).mapToObj(to -> new Handover(from, to)).toList();
    }
}
