package dev.equipoise.agent.cluster;

import static java.util.Objects.requireNonNull;

import com.hazelcast.cluster.Address;
import dev.equipoise.agent.channel.Pipe;
import dev.equipoise.agent.channel.RankIdentity;
import dev.equipoise.agent.channel.ThreadWaker;
import java.io.EOFException;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A pair of byte streams between this rank and a peer, cut into slices that go through Hazelcast.
 * Flow control by a sliding window: a few slices may be under way at once, and the peer
 * acknowledges the slices that it has taken, since Hazelcast itself has no back pressure.
 */
final class HazelcastPipe implements Pipe {

    /** Slices under way; measured: more gain nothing, fewer leave the network idle. */
    private static final int WINDOW = 8;

    private final HazelcastStreams streams;
    private final UUID outgoing;
    private final UUID incoming;
    private final UUID publicName;
    private final ThreadWaker waker;

    /**
     * Received slices by number modulo the window; filled by Hazelcast's threads, emptied by the
     * rank.
     */
    private final AtomicReferenceArray<byte @Nullable []> received =
            new AtomicReferenceArray<>(WINDOW);

    /** Slices acknowledged by the peer; updated by several Hazelcast threads, in any order. */
    private final AtomicLong takenByPeer = new AtomicLong();

    private volatile @Nullable Address peer;
    private volatile long end = Long.MAX_VALUE;
    private volatile @Nullable String broken;
    private volatile boolean closed;
    private byte[] filling = new byte[HazelcastSlice.MAX_BYTES];
    private int filled;
    private long sent;
    private byte @Nullable [] reading;
    private int readBytes;

    /** Slices taken by the rank; only the rank changes it. */
    private volatile long taken;

    /** Creates the pipe between this rank and a peer; only a connected pipe sends. */
    HazelcastPipe(HazelcastStreams streams, RankIdentity identity, int peer, ThreadWaker waker) {
        this.streams = streams;
        this.outgoing = identity.stream(identity.rank(), peer);
        this.incoming = identity.stream(peer, identity.rank());
        this.publicName = identity.publicName(peer, identity.rank());
        this.waker = waker;
        streams.await(incoming, this);
        streams.open(publicName, (nonce, at) -> identity.answer(peer, identity.rank(), nonce, at));
    }

    /** Sets the member to which the pipe sends: it has proven that it is the peer. */
    void connect(Address member) {
        peer = member;
    }

    /**
     * Stores a slice. A number outside the window cannot come from the peer and breaks the pipe.
     */
    void arrived(long number, byte[] bytes) {
        boolean isAllowed = number >= taken && number < taken + WINDOW;
        if (!isAllowed || !received.compareAndSet(slot(number), null, bytes)) {
            broken = "slice %d has arrived, but %d was expected".formatted(number, taken);
        }
        waker.ring();
    }

    void taken(long slices) {
        takenByPeer.accumulateAndGet(slices, Math::max);
        waker.ring();
    }

    /**
     * Marks the end of the stream after the given number of slices, the last of which may still be
     * under way.
     */
    void end(long slices) {
        end = slices;
        waker.ring();
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        requireOpen();
        long moved = 0;
        for (int i = offset; i < offset + length; i++) {
            moved += fill(sources[i]);
        }
        return moved;
    }

    private int fill(ByteBuffer source) {
        int moved = 0;
        while (source.hasRemaining() && hasSpace()) {
            int bytes = Math.min(source.remaining(), filling.length - filled);
            source.get(filling, filled, bytes);
            filled += bytes;
            moved += bytes;
        }
        return moved;
    }

    /**
     * Sends the slice if it is full and the window allows; returns whether there is space for more
     * bytes.
     */
    private boolean hasSpace() {
        if (filled == filling.length) {
            flush();
        }
        return filled < filling.length;
    }

    /** Sends the bytes collected so far, if the window allows. */
    @Override
    public boolean flush() {
        if (filled == 0) {
            return true;
        }
        if (sent - takenByPeer.get() >= WINDOW) {
            return false;
        }
        byte[] slice = Arrays.copyOf(filling, filled);
        send(HazelcastSlice.bytes(outgoing, sent, slice));
        sent++;
        filled = 0;
        return true;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        int moved = 0;
        while (target.hasRemaining() && hasBytes()) {
            byte[] slice = requireNonNull(reading);
            int bytes = Math.min(target.remaining(), slice.length - readBytes);
            target.put(slice, readBytes, bytes);
            readBytes += bytes;
            moved += bytes;
        }
        if (moved == 0 && target.hasRemaining()) {
            requireOpen();
        }
        return moved;
    }

    /** Takes the next slice when the last one is consumed; false if there is none. */
    private boolean hasBytes() {
        if (reading != null && readBytes < reading.length) {
            return true;
        }
        reading = received.getAndSet(slot(taken), null);
        if (reading == null) {
            return false;
        }
        readBytes = 0;
        long slices = taken + 1;
        taken = slices;
        if (slices % (WINDOW / 2) == 0) {
            send(HazelcastSlice.taken(outgoing, slices));
        }
        return true;
    }

    private void send(HazelcastSlice slice) {
        Address member = peer;
        // An unconnected pipe is only ever closed, and must not show the name of its stream.
        if (member != null && !streams.send(slice, member)) {
            broken =
                    "Hazelcast cannot send to %s: it has left the cluster or is unreachable"
                            .formatted(member);
        }
    }

    private void requireOpen() throws IOException {
        if (closed) {
            throw new ClosedChannelException();
        }
        String reason = broken;
        if (reason != null) {
            throw new StreamCorruptedException(reason);
        }
        Address member = peer;
        if (taken >= end || member == null || !streams.isMember(member)) {
            throw new EOFException(
                    "the peer at %s has closed the channel or left the cluster".formatted(member));
        }
    }

    private static int slot(long number) {
        return (int) (number % WINDOW);
    }

    @Override
    public long write(ByteBuffer[] sources) throws IOException {
        return write(sources, 0, sources.length);
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        requireOpen();
        return fill(source);
    }

    @Override
    public boolean isOpen() {
        return !closed;
    }

    /** Closes the pipe and tells the peer, which then stops waiting. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            send(HazelcastSlice.end(outgoing, sent));
        }
        streams.forget(incoming, publicName);
        waker.ring();
    }
}
