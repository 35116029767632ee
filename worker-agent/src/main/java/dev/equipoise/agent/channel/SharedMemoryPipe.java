package dev.equipoise.agent.channel;

import java.io.EOFException;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;

/**
 * Bytes that do not pass through the kernel. The socket over which the two have met stays open and
 * silent: it ends when the peer does.
 */
final class SharedMemoryPipe implements Pipe {

    /** Looking at the socket costs about as much as so many looks at the memory. */
    private static final int LOOKS = 64;

    private final SocketChannel socket;
    private final SharedMemory memory;
    private final SharedRing outgoing;
    private final SharedRing incoming;
    private final ByteBuffer nothing = ByteBuffer.allocateDirect(1);
    private int looks;
    private volatile boolean closed;

    SharedMemoryPipe(SocketChannel socket, SharedMemory memory) throws IOException {
        this.socket = socket;
        this.memory = memory;
        this.outgoing = memory.outgoing();
        this.incoming = memory.incoming();
        socket.configureBlocking(false);
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        long moved = 0;
        for (int i = offset; i < offset + length; i++) {
            moved += write(sources[i]);
            if (sources[i].hasRemaining()) {
                break;
            }
        }
        return moved;
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        try {
            int moved = outgoing.write(source);
            if (moved == 0 && source.hasRemaining()) {
                lookAfterPeer(false);
            }
            return moved;
        } catch (IllegalStateException e) {
            throw given(e);
        }
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        try {
            int moved = incoming.read(target);
            if (moved == 0 && target.hasRemaining()) {
                lookAfterPeer(true);
            }
            return moved;
        } catch (IllegalStateException e) {
            throw given(e);
        }
    }

    /** The memory was given back while this thread used it. */
    private IOException given(IllegalStateException cause) {
        if (!closed) {
            throw cause;
        }
        var end = new ClosedChannelException();
        end.initCause(cause);
        return end;
    }

    /**
     * Looks whether it is there still.
     *
     * @param isReading whether what a peer that has gone has left behind is of use
     */
    private void lookAfterPeer(boolean isReading) throws IOException {
        if (closed) {
            throw new ClosedChannelException();
        }
        looks = (looks + 1) % LOOKS;
        if (looks != 0) {
            return;
        }
        int found = socket.read(nothing.clear());
        if (found > 0) {
            throw new StreamCorruptedException("the peer talks beside the shared memory");
        }
        if (found < 0 && (!isReading || incoming.isEmpty())) {
            throw new EOFException("the peer has closed the connection");
        }
    }

    @Override
    public long write(ByteBuffer[] sources) throws IOException {
        return write(sources, 0, sources.length);
    }

    @Override
    public boolean isOpen() {
        return !closed;
    }

    @Override
    public void close() throws IOException {
        closed = true;
        memory.close();
        socket.close();
    }
}
