package dev.equipoise.agent.channel;

import static java.util.Objects.requireNonNull;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** One direction between two threads: one offers its segment, the other copies it. */
final class Handover {

    private final int from;
    private final int to;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private @Nullable MemorySegment offered;
    private int frames;
    private boolean closed;

    Handover(int from, int to) {
        this.from = from;
        this.to = to;
    }

    void offer(MemorySegment out) {
        lock.lock();
        try {
            offered = out;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until what was offered is taken; from then on the memory is the sender's again. */
    void awaitTaken() {
        lock.lock();
        try {
            await(() -> offered == null);
        } finally {
            lock.unlock();
        }
    }

    void take(MemorySegment in) {
        lock.lock();
        try {
            await(() -> offered != null);
            requireOpen();
            copy(requireNonNull(offered), in);
            offered = null;
            frames++;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void copy(MemorySegment out, MemorySegment in) {
        if (out.byteSize() != in.byteSize()) {
            throw failed(
                    "the frame's payload length must be %d, but was %d"
                            .formatted(in.byteSize(), out.byteSize()),
                    null);
        }
        in.copyFrom(out);
    }

    private void await(BooleanSupplier condition) {
        try {
            while (!condition.getAsBoolean()) {
                requireOpen();
                changed.await();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failed("interrupted", e);
        }
    }

    private void requireOpen() {
        if (closed) {
            throw failed("one of the two has closed its channel", null);
        }
    }

    private ChannelFailed failed(String reason, @Nullable Throwable cause) {
        return new ChannelFailed(
                "frame %d from rank %d to rank %d: %s".formatted(frames + 1, from, to, reason),
                cause);
    }
}
