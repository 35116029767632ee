package dev.equipoise.agent.channel;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;

/**
 * Bytes that do not pass through the kernel. The socket over which the two have met stays open: it
 * ends when the peer does, and a byte over it wakes a peer that sleeps.
 */
final class SharedMemoryPipe implements Pipe {

    /** Looking at the socket costs about as much as so many looks at the memory. */
    private static final int LOOKS = 64;

    private final SocketChannel socket;
    private final SharedMemory memory;
    private final SharedRing outgoing;
    private final SharedRing incoming;
    private final ByteBuffer call = ByteBuffer.allocateDirect(1);
    private final ByteBuffer calls = ByteBuffer.allocateDirect(64);
    private int looks;
    private boolean called;
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
            } else if (moved > 0 && outgoing.mustWakeReader()) {
                wakePeer();
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
            } else if (moved > 0 && incoming.mustWakeWriter()) {
                wakePeer();
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
        if (hasGone() && (!isReading || incoming.isEmpty())) {
            throw new EOFException("the peer has closed the connection");
        }
    }

    /**
     * Takes the calls of the peer from the socket; whether the socket has ended. A peer that closes
     * with calls unread resets the socket, which is an end like any other.
     */
    private boolean hasGone() throws IOException {
        try {
            int found = socket.read(calls.clear());
            while (found > 0) {
                called = true;
                found = socket.read(calls.clear());
            }
            return found < 0;
        } catch (ClosedChannelException e) {
            throw e;
        } catch (IOException _) {
            return true;
        }
    }

    /**
     * A socket that takes no byte more is full of calls, which wake the peer as well. One that
     * fails has ended, which the next look at it finds.
     */
    private void wakePeer() throws IOException {
        try {
            socket.write(call.clear());
        } catch (ClosedChannelException e) {
            throw e;
        } catch (IOException _) {
            looks = LOOKS - 1;
        }
    }

    /**
     * Asks the peer for a call.
     *
     * @param forBytes when there are bytes to read
     * @param forRoom when there is room to write
     * @throws IOException if this pipe is closed
     */
    void announceSleep(boolean forBytes, boolean forRoom) throws IOException {
        try {
            if (forBytes) {
                incoming.announceSleepOfReader();
            }
            if (forRoom) {
                outgoing.announceSleepOfWriter();
            }
        } catch (IllegalStateException e) {
            throw given(e);
        }
    }

    /**
     * Whether a call was taken that came after the last look at the memory, perhaps: then the
     * thread must look again before it sleeps.
     */
    boolean isCalled() {
        return called;
    }

    /**
     * Takes the calls that came during a sleep. The next read or write reports a peer that has
     * gone.
     *
     * @return whether the peer has gone, so that no call will come any more
     */
    boolean takeCalls() throws IOException {
        boolean gone = hasGone();
        called = false;
        if (gone) {
            looks = LOOKS - 1;
        }
        return gone;
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
