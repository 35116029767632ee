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
 * Until a socket of a link that has something to do is ready, or a peer calls that shares memory
 * with this rank.
 */
final class SocketSleeper implements Sleeper {

    private static final int NANOS_A_MILLISECOND = 1_000_000;

    private final Selector selector;
    private final List<Watched> watched = new ArrayList<>();
    private final List<Shared> shared = new ArrayList<>();

    SocketSleeper() throws IOException {
        this.selector = Selector.open();
    }

    /** Makes the socket non-blocking. */
    void watch(SocketChannel socket, Link link) throws IOException {
        socket.configureBlocking(false);
        watched.add(new Watched(socket.register(selector, 0), link));
    }

    /** Makes the socket non-blocking, over which the peer calls. */
    void watch(SocketChannel socket, SharedMemoryPipe pipe, Link link) throws IOException {
        socket.configureBlocking(false);
        shared.add(new Shared(socket.register(selector, SelectionKey.OP_READ), pipe, link));
    }

    /** Sockets are asked when the thread sleeps, and none is missed; peers in memory must know. */
    @Override
    public void prepare() throws IOException {
        for (int i = 0; i < shared.size(); i++) {
            shared.get(i).announceSleep();
        }
    }

    /** Early frames of a peer do not wake those who wait for another one. */
    @Override
    public void sleep(long nanos) throws IOException {
        try {
            for (int i = 0; i < watched.size(); i++) {
                watched.get(i).express();
            }
            if (isCalled()) {
                // Peers have changed memory since it was looked at.
            } else if (nanos < NANOS_A_MILLISECOND) {
                LockSupport.parkNanos(this, nanos);
            } else {
                selector.select(_ -> {}, nanos / NANOS_A_MILLISECOND);
            }
            for (int i = 0; i < shared.size(); i++) {
                shared.get(i).takeCalls();
            }
        } catch (ClosedSelectorException e) {
            var closed = new ClosedChannelException();
            closed.initCause(e);
            throw closed;
        }
    }

    private boolean isCalled() {
        for (int i = 0; i < shared.size(); i++) {
            if (shared.get(i).isCalled()) {
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

        /** Says what is unfinished; asking the kernel costs more than looking. */
        void express() {
            int interest =
                    (link.unsent() > 0 ? SelectionKey.OP_WRITE : 0)
                            | (link.unreceived() > 0 ? SelectionKey.OP_READ : 0);
            try {
                if (key.interestOps() != interest) {
                    key.interestOps(interest);
                }
            } catch (CancelledKeyException closed) {
                // Its peer was lost at this very moment, or all were, as the selector then tells.
            }
        }
    }

    /** A peer that was lost neither calls nor is asked for calls. */
    private record Shared(SelectionKey key, SharedMemoryPipe pipe, Link link) {

        boolean isCalled() {
            return pipe.isOpen() && pipe.isCalled();
        }

        /** A socket that has ended stays ready for ever, so the selector looks at it no more. */
        void takeCalls() throws IOException {
            try {
                if (pipe.isOpen() && pipe.takeCalls()) {
                    key.interestOps(0);
                }
            } catch (CancelledKeyException | ClosedChannelException closed) {
                // Its peer was lost at this very moment, or all were, as the selector then tells.
            }
        }

        void announceSleep() throws IOException {
            try {
                if (pipe.isOpen()) {
                    pipe.announceSleep(link.unreceived() > 0, link.unsent() > 0);
                }
            } catch (ClosedChannelException closed) {
                // As in takeCalls.
            }
        }
    }
}
