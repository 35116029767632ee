package dev.equipoise.agent.channel;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A channel over TCP sockets, one between any two ranks, without a copy between the segment and the
 * socket. The thread that exchanges moves both directions in one non-blocking loop, so frames of
 * any size pass each other.
 */
public final class DirectChannel implements Channel {

    /**
     * For how long to poll before the thread sleeps in the selector: a wake-up costs about as much,
     * and longer polling would take the core from a peer on the same machine.
     */
    private static final long SPIN_NANOS = 30_000;

    private final RunGroup group;
    private final Duration idleTimeout;
    private final Selector selector;
    private final Map<Integer, Link> links = new TreeMap<>();
    private long bytesSent;

    private DirectChannel(RunGroup group, Map<Integer, SocketChannel> sockets, Duration idleTimeout)
            throws IOException {
        this.group = group;
        this.idleTimeout = idleTimeout;
        this.selector = Selector.open();
        for (var socket : sockets.entrySet()) {
            links.put(
                    socket.getKey(), new Link(group, socket.getKey(), socket.getValue(), selector));
        }
    }

    /**
     * Meets the other ranks of the group; returns when all sockets are up. Interrupting the thread
     * ends the attempt.
     *
     * @param peers the addresses of the data servers by rank, this rank's own included
     * @throws ChannelFailed when they are not all there in time
     */
    public static DirectChannel connect(
            DataServer server, RunGroup group, List<InetSocketAddress> peers, Timeouts timeouts) {
        var mesh = new Mesh(server, group, peers, Deadline.in(timeouts.connect()));
        Map<Integer, SocketChannel> sockets = mesh.assemble();
        try {
            return new DirectChannel(group, sockets, timeouts.idle());
        } catch (IOException e) {
            sockets.values().forEach(Sockets::closeQuietly);
            throw new ChannelFailed(group.describe() + ": no selector", e);
        }
    }

    @Override
    public int rank() {
        return group.rank();
    }

    @Override
    public int size() {
        return group.size();
    }

    @Override
    public void exchange(int to, MemorySegment out, int from, MemorySegment in) {
        Link outgoing = link(to);
        Link incoming = link(from);
        outgoing.beginSend(out.asByteBuffer());
        incoming.beginReceive(in.asByteBuffer());
        try {
            move(outgoing, incoming);
        } catch (ChannelFailed e) {
            close();
            throw e;
        }
    }

    @Override
    public long bytesSent() {
        return bytesSent;
    }

    /** The frames of other generations that were dropped. */
    public long staleFrames() {
        return links.values().stream().mapToLong(Link::staleFrames).sum();
    }

    @Override
    public void close() {
        links.values().forEach(Link::close);
        Sockets.closeQuietly(selector);
    }

    private Link link(int peer) {
        Link link = links.get(peer);
        if (link == null) {
            throw new IllegalArgumentException(
                    "the peer of rank %d must be another rank below %d, but was %d"
                            .formatted(rank(), size(), peer));
        }
        return link;
    }

    private void move(Link outgoing, Link incoming) {
        long lastProgress = System.nanoTime();
        while (true) {
            long sent = outgoing.send();
            long moved = sent + incoming.receive();
            bytesSent += sent;
            if (!outgoing.isSending() && !incoming.isReceiving()) {
                return;
            }
            long now = System.nanoTime();
            if (moved > 0) {
                lastProgress = now;
            } else if (now - lastProgress < SPIN_NANOS) {
                Thread.onSpinWait();
            } else {
                sleep(outgoing, incoming, idleTimeout.toNanos() - (now - lastProgress));
            }
        }
    }

    /** Waits until a socket is ready, but no longer than the rest of the idle time-out. */
    private void sleep(Link outgoing, Link incoming, long nanos) {
        Link waiting = incoming.isReceiving() ? incoming : outgoing;
        if (nanos <= 0) {
            throw waiting.failed("nothing has moved for " + idleTimeout, null);
        }
        try {
            outgoing.watch();
            incoming.watch();
            selector.select(_ -> {}, Math.max(1, nanos / 1_000_000));
            outgoing.unwatch();
            incoming.unwatch();
        } catch (IOException | CancelledKeyException | ClosedSelectorException e) {
            throw waiting.failed("this channel is closed", e);
        }
        if (Thread.currentThread().isInterrupted()) {
            throw waiting.failed("interrupted", null);
        }
    }
}
