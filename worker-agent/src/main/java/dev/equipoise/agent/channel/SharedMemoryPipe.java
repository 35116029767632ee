package dev.equipoise.agent.channel;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;

/**
 * Pipe through shared memory, past the kernel. The socket on which the two ranks authenticated
 * stays open: it ends when the peer does, and a byte over it wakes a sleeping peer.
 */
final class SharedMemoryPipe implements Pipe {

    /**
     * Polls of the memory for each poll of the socket: one poll of the socket costs about as much
     * as 64 of the memory.
     */
    private static final int POLLS_PER_SOCKET_POLL = 64;

    private final SocketChannel socket;
    private final SharedMemory memory;
    private final SharedRing outgoing;
    private final SharedRing incoming;
    private final ByteBuffer wakeByte = ByteBuffer.allocateDirect(1);
    private final ByteBuffer wakeBytes = ByteBuffer.allocateDirect(64);
    private int polls;
    private boolean isWakeReceived;
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
                requirePeer(false);
            } else if (moved > 0 && outgoing.mustWakeReader()) {
                wakePeer();
            }
            return moved;
        } catch (IllegalStateException e) {
            throw closedBy(e);
        }
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        try {
            int moved = incoming.read(target);
            if (moved == 0 && target.hasRemaining()) {
                requirePeer(true);
            } else if (moved > 0 && incoming.mustWakeWriter()) {
                wakePeer();
            }
            return moved;
        } catch (IllegalStateException e) {
            throw closedBy(e);
        }
    }

    /**
     * Converts the failure of an access to unmapped memory: this pipe was closed during the access.
     */
    private IOException closedBy(IllegalStateException cause) {
        if (!closed) {
            throw cause;
        }
        var end = new ClosedChannelException();
        end.initCause(cause);
        return end;
    }

    /**
     * Checks from time to time that the peer is still connected.
     *
     * @param isReading whether bytes that a departed peer has left behind are still useful
     */
    private void requirePeer(boolean isReading) throws IOException {
        if (closed) {
            throw new ClosedChannelException();
        }
        polls = (polls + 1) % POLLS_PER_SOCKET_POLL;
        if (polls != 0) {
            return;
        }
        if (isSocketEnded() && (!isReading || incoming.isEmpty())) {
            throw new EOFException("the peer has closed the connection");
        }
    }

    /**
     * Drains the peer's wake-up bytes from the socket and tells whether the socket has ended. A
     * peer that closes with wake-up bytes unread resets the socket, which is an end like any other.
     */
    private boolean isSocketEnded() throws IOException {
        try {
            int found = socket.read(wakeBytes.clear());
            while (found > 0) {
                isWakeReceived = true;
                found = socket.read(wakeBytes.clear());
            }
            return found < 0;
        } catch (ClosedChannelException e) {
            throw e;
        } catch (IOException _) {
            return true;
        }
    }

    /**
     * Sends a wake-up byte. A socket whose buffer is full holds wake-up bytes already, which wake
     * the peer as well. A socket that fails has ended, which the next poll finds.
     */
    private void wakePeer() throws IOException {
        try {
            socket.write(wakeByte.clear());
        } catch (ClosedChannelException e) {
            throw e;
        } catch (IOException _) {
            polls = POLLS_PER_SOCKET_POLL - 1;
        }
    }

    /**
     * Announces that this rank sleeps, so that the peer sends a wake-up byte.
     *
     * @param forBytes when there are bytes to read
     * @param forSpace when there is space to write
     * @throws IOException if this pipe is closed
     */
    void announceSleep(boolean forBytes, boolean forSpace) throws IOException {
        try {
            if (forBytes) {
                incoming.announceSleepOfReader();
            }
            if (forSpace) {
                outgoing.announceSleepOfWriter();
            }
        } catch (IllegalStateException e) {
            throw closedBy(e);
        }
    }

    /**
     * Returns whether a wake-up byte was received, perhaps after the last poll of the memory: then
     * the thread must poll again before it sleeps.
     */
    boolean isWakeReceived() {
        return isWakeReceived;
    }

    /**
     * Drains the wake-up bytes that came during a sleep. The next read or write reports a peer that
     * is gone.
     *
     * @return whether the peer is gone, so that no wake-up byte will come anymore
     */
    boolean drainWakeBytes() throws IOException {
        boolean gone = isSocketEnded();
        isWakeReceived = false;
        if (gone) {
            polls = POLLS_PER_SOCKET_POLL - 1;
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
