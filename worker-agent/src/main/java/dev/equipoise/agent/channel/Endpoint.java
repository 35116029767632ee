package dev.equipoise.agent.channel;

import dev.equipoise.agent.channel.ChannelFailed.Reason;
import java.io.EOFException;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedChannelException;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A channel over links of any kind: keeps all of them moving while it waits for one, and gives up
 * when nothing has moved for too long.
 */
final class Endpoint implements Channel {

    private final int rank;
    private final int size;
    private final @Nullable Link[] links;
    private final long[] posted;
    private final long[] awaited;
    private final Waiting waiting;
    private long framesSent;
    private int lastAny;
    private volatile boolean closed;

    /**
     * @param links to all other ranks
     */
    Endpoint(int rank, int size, Map<Integer, ? extends Link> links, Waiting waiting) {
        this.rank = rank;
        this.size = size;
        this.links = new Link[size];
        this.posted = new long[size];
        this.awaited = new long[size];
        this.waiting = waiting;
        links.forEach((peer, link) -> this.links[peer] = link);
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public void send(int to, Content content, MemorySegment memory, long offset, long bytes) {
        requireRoom(memory, offset, bytes);
        link(to).send(content, memory, offset, bytes);
        framesSent++;
    }

    @Override
    public void receive(int from, MemorySegment memory, long offset, long bytes) {
        requireRoom(memory, offset, bytes);
        link(from).receive(memory, offset, bytes, true);
        posted[from]++;
    }

    /** Here and not when the bytes move, which is in a wait for another frame perhaps. */
    private static void requireRoom(MemorySegment memory, long offset, long bytes) {
        Objects.checkFromIndexSize(offset, bytes, memory.byteSize());
        if (bytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "a frame has at most 2 GB, but was to have %d bytes".formatted(bytes));
        }
    }

    @Override
    public void awaitReceived(int from) {
        Link link = link(from);
        if (awaited[from] == posted[from]) {
            throw new IllegalStateException(
                    "rank %d awaits a frame of rank %d for which it has posted no room"
                            .formatted(rank, from));
        }
        waiting.begin();
        while (!isFull(from, link)) {
            advance(from, link);
        }
        awaited[from]++;
    }

    @Override
    public int awaitAny() {
        int awaitedPeer = anyPosted();
        Link link = link(awaitedPeer);
        waiting.begin();
        while (!findFull()) {
            advance(awaitedPeer, link);
        }
        return lastAny;
    }

    /** The one that is named if the wait is in vain. */
    private int anyPosted() {
        for (int peer = 0; peer < size; peer++) {
            if (awaited[peer] < posted[peer]) {
                return peer;
            }
        }
        throw new IllegalStateException(
                "rank %d awaits frames for which it has posted no room".formatted(rank));
    }

    private boolean findFull() {
        for (int i = 1; i <= size; i++) {
            int peer = (lastAny + i) % size;
            Link link = links[peer];
            if (link != null && isFull(peer, link)) {
                lastAny = peer;
                return true;
            }
        }
        return false;
    }

    /** Whether the oldest room that is not awaited yet is full. */
    private boolean isFull(int peer, Link link) {
        return awaited[peer] < posted[peer] - link.unreceived();
    }

    @Override
    public Received receiveAtMost(int from, MemorySegment room) {
        Link link = link(from);
        if (awaited[from] != posted[from]) {
            throw new IllegalStateException(
                    "rank %d has posted other rooms for rank %d".formatted(rank, from));
        }
        link.receive(room, 0, room.byteSize(), false);
        waiting.begin();
        while (link.unreceived() > 0) {
            advance(from, link);
        }
        return link.lastReceived();
    }

    @Override
    public void awaitSent(int to) {
        Link link = link(to);
        waiting.begin();
        while (link.unsent() > 0) {
            advance(to, link);
        }
    }

    @Override
    public void limit(int to, LinkLimits limits) {
        Link link = link(to);
        if (link.unsent() > 0) {
            throw new IllegalStateException(
                    "rank %d has frames under way to rank %d".formatted(rank, to));
        }
        links[to] = new LimitedLink(link, limits, System::nanoTime);
    }

    @Override
    public long bytesSent() {
        long sum = 0;
        for (Link link : links) {
            sum += link == null ? 0 : link.bytesSent();
        }
        return sum;
    }

    @Override
    public long framesSent() {
        return framesSent;
    }

    @Override
    public long staleFrames() {
        long sum = 0;
        for (Link link : links) {
            sum += link == null ? 0 : link.staleFrames();
        }
        return sum;
    }

    @Override
    public void close() {
        closed = true;
        for (Link link : links) {
            if (link != null) {
                link.close();
            }
        }
        waiting.close();
    }

    private Link link(int peer) {
        Link link = peer < 0 || peer >= size ? null : links[peer];
        if (link == null) {
            throw new IllegalArgumentException(
                    "the peer of rank %d must be another rank below %d, but was %d"
                            .formatted(rank, size, peer));
        }
        return link;
    }

    /** Moves all links once and sleeps where none has moved. */
    private void advance(int peer, Link link) {
        if (closed) {
            throw failed(peer, link, Reason.CLOSED, "this channel is closed", null);
        }
        long moved = 0;
        for (int i = 0; i < size; i++) {
            moved += advance(i);
        }
        if (!goesOn(moved, peer, link)) {
            throw failed(
                    peer, link, Reason.TIMED_OUT, "nothing has moved for " + waiting.idle(), null);
        }
        if (Thread.currentThread().isInterrupted()) {
            throw failed(peer, link, Reason.CLOSED, "interrupted", null);
        }
    }

    private boolean goesOn(long moved, int peer, Link link) {
        try {
            return waiting.after(moved, moved > 0 ? 0 : idleNanos());
        } catch (IOException e) {
            throw failed(peer, link, e);
        }
    }

    private long advance(int peer) {
        Link link = links[peer];
        if (link == null) {
            return 0;
        }
        try {
            return link.advance();
        } catch (IOException e) {
            throw failed(peer, link, e);
        }
    }

    private long idleNanos() {
        long least = Long.MAX_VALUE;
        for (Link link : links) {
            least = link == null ? least : Math.min(least, link.idleNanos());
        }
        return least;
    }

    private ChannelFailed failed(int peer, Link link, IOException cause) {
        if (closed || cause instanceof ClosedChannelException) {
            return failed(peer, link, Reason.CLOSED, "this channel is closed", cause);
        }
        boolean corrupt = cause instanceof StreamCorruptedException;
        return failed(
                peer,
                link,
                corrupt ? Reason.BAD_FRAME : Reason.PEER_LOST,
                String.valueOf(cause.getMessage()),
                cause instanceof EOFException ? null : cause);
    }

    /** Closes, so that the failure reaches every rank that waits for this one. */
    private ChannelFailed failed(
            int peer, Link link, Reason reason, @Nullable String text, @Nullable Throwable cause) {
        close();
        return new ChannelFailed(
                reason,
                "rank %d, in frame %d to and frame %d from rank %d: %s"
                        .formatted(rank, link.frameOut(), link.frameIn(), peer, text),
                cause);
    }
}
