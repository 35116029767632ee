package dev.equipoise.agent.channel;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Sleeps until a socket of a link with unfinished work is ready, or a peer that shares memory with
 * this rank wakes it.
 */
final class SelectorIdleStrategy implements IdleStrategy {

    private static final int NANOS_PER_MILLISECOND = 1_000_000;

    private final Selector selector;
    private final List<Watched> watched = new ArrayList<>();
    private final List<Shared> shared = new ArrayList<>();

    SelectorIdleStrategy() throws IOException {
        this.selector = Selector.open();
    }

    /** Watches the socket of a link and makes it non-blocking. */
    void watch(SocketChannel socket, Link link) throws IOException {
        socket.configureBlocking(false);
        watched.add(new Watched(socket.register(selector, 0), link));
    }

    /**
     * Watches the socket over which a peer that shares memory sends wake-up bytes, and makes it
     * non-blocking.
     */
    void watch(SocketChannel socket, SharedMemoryPipe pipe, Link link) throws IOException {
        socket.configureBlocking(false);
        shared.add(new Shared(socket.register(selector, SelectionKey.OP_READ), pipe, link));
    }

    /**
     * Announces the sleep to peers that share memory. Sockets need no announcement: the selector
     * misses none.
     */
    @Override
    public void prepare() throws IOException {
        for (int i = 0; i < shared.size(); i++) {
            shared.get(i).announceSleep();
        }
    }

    /** Sleeps; frames of a peer that is not awaited do not wake the thread. */
    @Override
    public void sleep(long nanos) throws IOException {
        try {
            for (int i = 0; i < watched.size(); i++) {
                watched.get(i).setInterest();
            }
            if (isWakeReceived()) {
                // Peers have changed the memory since the last poll.
            } else if (nanos < NANOS_PER_MILLISECOND) {
                LockSupport.parkNanos(this, nanos);
            } else {
                selector.select(_ -> {}, nanos / NANOS_PER_MILLISECOND);
            }
            for (int i = 0; i < shared.size(); i++) {
                shared.get(i).drainWakeBytes();
            }
        } catch (ClosedSelectorException e) {
            var closed = new ClosedChannelException();
            closed.initCause(e);
            throw closed;
        }
    }

    private boolean isWakeReceived() {
        for (int i = 0; i < shared.size(); i++) {
            if (shared.get(i).isWakeReceived()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void wake() {
        selector.wakeup();
    }

    @Override
    public void close() {
        Sockets.closeQuietly(selector);
    }

    private record Watched(SelectionKey key, Link link) {

        /**
         * Sets the interest to the unfinished directions; comparing first is cheaper than a system
         * call.
         */
        void setInterest() {
            int interest =
                    (link.unsent() > 0 ? SelectionKey.OP_WRITE : 0)
                            | (link.unreceived() > 0 ? SelectionKey.OP_READ : 0);
            try {
                if (key.interestOps() != interest) {
                    key.interestOps(interest);
                }
            } catch (CancelledKeyException closed) {
                // The peer was lost just now, or all were, which the selector then reports.
            }
        }
    }

    /** A pipe through shared memory. A lost peer neither sends nor is asked for wake-up bytes. */
    private record Shared(SelectionKey key, SharedMemoryPipe pipe, Link link) {

        boolean isWakeReceived() {
            return pipe.isOpen() && pipe.isWakeReceived();
        }

        /**
         * Drains wake-up bytes. A socket that has ended stays ready forever, so the selector stops
         * watching it.
         */
        void drainWakeBytes() throws IOException {
            try {
                if (pipe.isOpen() && pipe.drainWakeBytes()) {
                    key.interestOps(0);
                }
            } catch (CancelledKeyException | ClosedChannelException closed) {
                // The peer was lost just now, or all were, which the selector then reports.
            }
        }

        void announceSleep() throws IOException {
            try {
                if (pipe.isOpen()) {
                    pipe.announceSleep(link.unreceived() > 0, link.unsent() > 0);
                }
            } catch (ClosedChannelException closed) {
                // As in drainWakeBytes.
            }
        }
    }
}
