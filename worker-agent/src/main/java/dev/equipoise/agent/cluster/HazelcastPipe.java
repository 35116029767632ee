package dev.equipoise.agent.cluster;

import static java.util.Objects.requireNonNull;

import com.hazelcast.cluster.Address;
import dev.equipoise.agent.channel.Bell;
import dev.equipoise.agent.channel.Pipe;
import dev.equipoise.agent.channel.RunGroup;
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
 * A stream of bytes to a peer, and one back, cut into slices that go through Hazelcast. A few
 * slices may be on their way at once; the peer says when it has taken them, as Hazelcast itself
 * holds nobody back.
 */
final class HazelcastPipe implements Pipe {

    /** Slices on their way; measured: more bring nothing, fewer leave the network idle. */
    private static final int WINDOW = 8;

    private final HazelcastStreams streams;
    private final Address peer;
    private final UUID outgoing;
    private final UUID incoming;
    private final UUID door;
    private final Bell bell;

    /** By number modulo the window; filled by Hazelcast's threads, emptied by the rank. */
    private final AtomicReferenceArray<byte @Nullable []> arrivals =
            new AtomicReferenceArray<>(WINDOW);

    /** Told by several of Hazelcast's threads, in any order. */
    private final AtomicLong takenByPeer = new AtomicLong();

    private volatile long end = Long.MAX_VALUE;
    private volatile @Nullable String broken;
    private volatile boolean closed;
    private byte[] filling = new byte[HazelcastSlice.MOST_BYTES];
    private int filled;
    private long sent;
    private byte @Nullable [] reading;
    private int readBytes;

    /** Changed by the rank alone. */
    private volatile long taken;

    /** Between a rank of the group and another one, whose member has this address. */
    HazelcastPipe(HazelcastStreams streams, Address address, RunGroup group, int peer, Bell bell) {
        this.streams = streams;
        this.peer = address;
        this.outgoing = group.stream(group.rank(), peer);
        this.incoming = group.stream(peer, group.rank());
        this.door = group.door(peer, group.rank());
        this.bell = bell;
        streams.await(incoming, this);
        streams.open(door, (nonce, at) -> group.answer(peer, group.rank(), nonce, at));
    }

    /** A number that is no longer, or not yet, allowed is none of the peer's. */
    void arrived(long number, byte[] bytes) {
        boolean isAllowed = number >= taken && number < taken + WINDOW;
        if (!isAllowed || !arrivals.compareAndSet(slot(number), null, bytes)) {
            broken = "slice %d has come, but %d was awaited".formatted(number, taken);
        }
        bell.ring();
    }

    void taken(long slices) {
        takenByPeer.accumulateAndGet(slices, Math::max);
        bell.ring();
    }

    /** After so many slices, the last of which may still be on their way. */
    void end(long slices) {
        end = slices;
        bell.ring();
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
        while (source.hasRemaining() && makeRoom()) {
            int bytes = Math.min(source.remaining(), filling.length - filled);
            source.get(filling, filled, bytes);
            filled += bytes;
            moved += bytes;
        }
        return moved;
    }

    /** Sends the slice if it is full, as far as the window allows. */
    private boolean makeRoom() {
        if (filled == filling.length) {
            flush();
        }
        return filled < filling.length;
    }

    /** Sends what is there. */
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

    /** Takes the next slice when the last one is used up. */
    private boolean hasBytes() {
        if (reading != null && readBytes < reading.length) {
            return true;
        }
        reading = arrivals.getAndSet(slot(taken), null);
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
        if (!streams.send(slice, peer)) {
            broken = "Hazelcast does not send to %s".formatted(peer);
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
        if (taken >= end || !streams.isMember(peer)) {
            throw new EOFException("the peer has left");
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

    /** Tells the peer, who waits for nothing any more then. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            send(HazelcastSlice.end(outgoing, sent));
        }
        streams.forget(incoming, door);
        bell.ring();
    }
}
