package dev.equipoise.agent.channel;

import java.lang.foreign.MemorySegment;

/** Queues posted frames and receive buffers in FIFO order until the subclass has moved them. */
abstract class QueuedLink implements Link {

    final FrameQueue out = new FrameQueue();
    final FrameQueue in = new FrameQueue();

    @Override
    public final void send(PayloadType content, MemorySegment memory, long offset, long bytes) {
        out.add(content, memory, offset, bytes, true);
    }

    @Override
    public final void receive(MemorySegment memory, long offset, long bytes, boolean exact) {
        in.add(PayloadType.PLAIN, memory, offset, bytes, exact);
    }

    @Override
    public final int unsent() {
        return out.count();
    }

    @Override
    public final int unreceived() {
        return in.count();
    }
}
