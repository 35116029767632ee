package dev.equipoise.agent.channel;

import java.lang.foreign.MemorySegment;

/** Keeps what was posted, first in, first out, until whoever moves it takes it away. */
abstract class PostedLink implements Link {

    final Posts out = new Posts();
    final Posts in = new Posts();

    @Override
    public final void send(Content content, MemorySegment memory, long offset, long bytes) {
        out.add(content, memory, offset, bytes, true);
    }

    @Override
    public final void receive(MemorySegment memory, long offset, long bytes, boolean exact) {
        in.add(Content.PLAIN, memory, offset, bytes, exact);
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
