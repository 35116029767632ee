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

/** Until a socket of a link that has something to do is ready. */
final class SocketSleeper implements Sleeper {

    private static final int NANOS_A_MILLISECOND = 1_000_000;

    private final Selector selector;
    private final List<Watched> watched = new ArrayList<>();

    SocketSleeper() throws IOException {
        this.selector = Selector.open();
    }

    /** Makes the socket non-blocking. */
    void watch(SocketChannel socket, Link link) throws IOException {
        socket.configureBlocking(false);
        watched.add(new Watched(socket.register(selector, 0), link));
    }

    @Override
    public void prepare() {
        // Readiness is asked for when the thread sleeps, and missed by nobody.
    }

    /** Early frames of a peer do not wake those who wait for another one. */
    @Override
    public void sleep(long nanos, long quiet) throws IOException {
        try {
            for (int i = 0; i < watched.size(); i++) {
                watched.get(i).express();
            }
            if (nanos < NANOS_A_MILLISECOND) {
                LockSupport.parkNanos(this, nanos);
            } else {
                selector.select(_ -> {}, nanos / NANOS_A_MILLISECOND);
            }
        } catch (CancelledKeyException | ClosedSelectorException e) {
            var closed = new ClosedChannelException();
            closed.initCause(e);
            throw closed;
        }
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
            if (key.interestOps() != interest) {
                key.interestOps(interest);
            }
        }
    }
}
