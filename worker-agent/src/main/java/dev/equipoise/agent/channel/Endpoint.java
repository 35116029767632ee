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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A channel over links of any kind: keeps all of them moving while it waits for one, and gives up
 * when nothing has moved for too long. If it tolerates losses, a link that fails is closed and
 * everything posted to it is settled: frames count as sent, receive buffers as never filled.
 */
final class Endpoint implements Channel {

    private static final Logger log = LoggerFactory.getLogger(Endpoint.class);

    private final int rank;
    private final int size;
    private final @Nullable Link[] links;
    private final long[] posted;
    private final long[] awaited;
    private final IdleLoop idleLoop;
    private final LostPeers lostPeers;
    private long framesSent;
    private int lastAny;
    private volatile boolean toleratesLosses;
    private volatile boolean closed;

    /**
     * @param links the links to all other ranks
     */
    Endpoint(int rank, int size, Map<Integer, ? extends Link> links, IdleLoop idleLoop) {
        this.rank = rank;
        this.size = size;
        this.links = new Link[size];
        this.posted = new long[size];
        this.awaited = new long[size];
        this.idleLoop = idleLoop;
        this.lostPeers = new LostPeers(size);
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
    public void tolerateLosses() {
        toleratesLosses = true;
    }

    @Override
    public boolean isLost(int peer) {
        return lostPeers.contains(peer);
    }

    @Override
    public boolean hasLosses() {
        return lostPeers.hasAny();
    }

    /** Wakes the exchanging thread, which then finds the peer lost. */
    @Override
    public void lose(int peer) {
        if (toleratesLosses && peer != rank) {
            lose(peer, link(peer), "its agent has left the cluster");
            idleLoop.wake();
        } else {
            close();
        }
    }

    @Override
    public void send(int to, PayloadType content, MemorySegment memory, long offset, long bytes) {
        ChannelPreconditions.requireBounds(memory, offset, bytes);
        Link link = link(to);
        if (!isLost(to)) {
            link.send(content, memory, offset, bytes);
            framesSent++;
        }
    }

    @Override
    public void receive(int from, MemorySegment memory, long offset, long bytes) {
        ChannelPreconditions.requireBounds(memory, offset, bytes);
        link(from).receive(memory, offset, bytes, true);
        posted[from]++;
    }

    @Override
    public void awaitReceived(int from) {
        if (!awaitReceivedOrLost(from)) {
            throw ChannelFailed.lost(rank, from);
        }
    }

    @Override
    public boolean awaitReceivedOrLost(int from) {
        Link link = link(from);
        boolean isPosted = awaited[from] < posted[from];
        if (!isPosted && isLost(from)) {
            return false;
        }
        ChannelPreconditions.requirePosted(isPosted, rank, from);
        idleLoop.begin();
        while (!isFull(from, link)) {
            if (isLost(from)) {
                awaited[from] = posted[from];
                return false;
            }
            advance(from, link);
        }
        awaited[from]++;
        return true;
    }

    @Override
    public int awaitAny() {
        int awaitedPeer = anyPosted();
        Link link = link(awaitedPeer);
        idleLoop.begin();
        while (!findFull()) {
            advance(awaitedPeer, link, true);
        }
        return lastAny;
    }

    /** The peer to name if the wait times out. */
    private int anyPosted() {
        for (int peer = 0; peer < size; peer++) {
            if (awaited[peer] < posted[peer]) {
                return peer;
            }
        }
        throw new IllegalStateException(
                "rank %d awaits frames but has posted no receive buffer".formatted(rank));
    }

    private boolean findFull() {
        for (int i = 1; i <= size; i++) {
            int peer = (lastAny + i) % size;
            Link link = links[peer];
            if (link != null && (isFull(peer, link) || isLostAndAwaited(peer))) {
                lastAny = peer;
                return true;
            }
        }
        return false;
    }

    private boolean isLostAndAwaited(int peer) {
        return awaited[peer] < posted[peer] && isLost(peer);
    }

    /** Returns whether the oldest receive buffer that is not awaited yet is full. */
    private boolean isFull(int peer, Link link) {
        return awaited[peer] < posted[peer] - link.unreceived();
    }

    @Override
    public Received receiveAtMost(int from, MemorySegment buffer) {
        Link link = link(from);
        ChannelPreconditions.requireNotPosted(awaited[from] != posted[from], rank, from);
        link.receive(buffer, 0, buffer.byteSize(), false);
        idleLoop.begin();
        while (link.unreceived() > 0) {
            if (isLost(from)) {
                throw ChannelFailed.lost(rank, from);
            }
            advance(from, link);
        }
        return link.lastReceived();
    }

    @Override
    public void awaitSent(int to) {
        Link link = link(to);
        idleLoop.begin();
        while (link.unsent() > 0 && !isLost(to)) {
            advance(to, link);
        }
    }

    @Override
    public void limit(int to, LinkLimits limits) {
        Link link = link(to);
        ChannelPreconditions.requireSent(link.unsent() == 0, rank, to);
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
        idleLoop.close();
    }

    private Link link(int peer) {
        ChannelPreconditions.requirePeer(rank, size, peer);
        return Objects.requireNonNull(links[peer]);
    }

    private void advance(int peer, Link link) {
        advance(peer, link, false);
    }

    /**
     * Moves all links once and sleeps if none has moved.
     *
     * @param isOneOfMany whether other peers would do as well, so that the silent one is unknown
     */
    private void advance(int peer, Link link, boolean isOneOfMany) {
        if (closed) {
            throw failed(peer, link, Reason.CLOSED, "this channel is closed", null);
        }
        long moved = 0;
        for (int i = 0; i < size; i++) {
            moved += advance(i);
        }
        if (isLost(peer)) {
            return;
        }
        if (!goesOn(moved, peer, link)) {
            String text = "nothing has moved for " + idleLoop.idle();
            if (isOneOfMany) {
                throw failed(peer, link, Reason.TIMED_OUT, text, null);
            }
            fail(peer, link, Reason.TIMED_OUT, text, null);
            return;
        }
        if (Thread.currentThread().isInterrupted()) {
            throw failed(peer, link, Reason.CLOSED, "interrupted", null);
        }
    }

    private boolean goesOn(long moved, int peer, Link link) {
        try {
            return idleLoop.after(moved, moved > 0 ? 0 : idleNanos());
        } catch (IOException e) {
            throw failed(peer, link, Reason.CLOSED, "this channel is closed", e);
        }
    }

    private long advance(int peer) {
        Link link = links[peer];
        if (link == null || isLost(peer)) {
            return 0;
        }
        try {
            return link.advance();
        } catch (IOException e) {
            fail(peer, link, e);
            return 0;
        }
    }

    private long idleNanos() {
        long least = Long.MAX_VALUE;
        for (int peer = 0; peer < size; peer++) {
            Link link = links[peer];
            least = link == null || isLost(peer) ? least : Math.min(least, link.idleNanos());
        }
        return least;
    }

    private void fail(int peer, Link link, IOException cause) {
        // A peer that a failure detector has given up is closed by lose().
        if (closed || (cause instanceof ClosedChannelException && !isLost(peer))) {
            throw failed(peer, link, Reason.CLOSED, "this channel is closed", cause);
        }
        boolean corrupt = cause instanceof StreamCorruptedException;
        fail(
                peer,
                link,
                corrupt ? Reason.BAD_FRAME : Reason.PEER_LOST,
                String.valueOf(cause.getMessage()),
                cause instanceof EOFException ? null : cause);
    }

    /** Loses the peer alone if losses are tolerated; else fails the channel. */
    private void fail(
            int peer, Link link, Reason reason, @Nullable String text, @Nullable Throwable cause) {
        if (!toleratesLosses) {
            throw failed(peer, link, reason, text, cause);
        }
        lose(peer, link, reason + ": " + text);
    }

    private void lose(int peer, Link link, String why) {
        if (lostPeers.add(peer)) {
            log.warn("peer-lost rank={} peer={}: {}", rank, peer, why);
        }
        link.close();
    }

    /** Closes this channel, so that the failure reaches every rank that waits for this one. */
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
