package dev.equipoise.agent.channel;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** The socket to one peer with the frame that leaves and the frame that arrives. */
final class Link {

    private final int rank;
    private final int peer;
    private final SocketChannel socket;
    private final SelectionKey key;
    private final FrameWriter writer;
    private final FrameReader reader;

    Link(RunGroup group, int peer, SocketChannel socket, Selector selector) throws IOException {
        this.rank = group.rank();
        this.peer = peer;
        this.socket = socket;
        socket.configureBlocking(false);
        this.key = socket.register(selector, 0);
        this.writer = new FrameWriter(group.rank(), group.generation());
        this.reader = new FrameReader(peer, group.generation());
    }

    void beginSend(ByteBuffer payload) {
        writer.begin(payload);
    }

    void beginReceive(ByteBuffer payload) {
        reader.begin(payload);
    }

    long send() {
        try {
            return writer.advance(socket);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    long receive() {
        try {
            return reader.advance(socket);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    boolean isSending() {
        return !writer.isDone();
    }

    boolean isReceiving() {
        return !reader.isDone();
    }

    /** Has the selector wake up when what is unfinished here can go on. */
    void watch() {
        key.interestOps(
                (isSending() ? SelectionKey.OP_WRITE : 0)
                        | (isReceiving() ? SelectionKey.OP_READ : 0));
    }

    /** Keeps early frames of this peer from waking those who wait for another one. */
    void unwatch() {
        key.interestOps(0);
    }

    long staleFrames() {
        return reader.staleFrames();
    }

    void close() {
        Sockets.closeQuietly(socket);
    }

    ChannelFailed failed(String reason, @Nullable Throwable cause) {
        return new ChannelFailed(
                "rank %d, in frame %d to and frame %d from rank %d: %s"
                        .formatted(rank, writer.frames(), reader.frames(), peer, reason),
                cause);
    }

    private ChannelFailed failed(IOException cause) {
        boolean closedHere = cause instanceof ClosedChannelException;
        return failed(
                closedHere ? "this channel is closed" : String.valueOf(cause.getMessage()), cause);
    }
}
