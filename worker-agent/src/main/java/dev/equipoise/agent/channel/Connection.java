package dev.equipoise.agent.channel;

import dev.equipoise.agent.channel.FrameChecksum.Cover;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * A socket to a peer that has proven itself.
 *
 * @param isLocal whether both run on one machine
 * @param memory for the bytes, where both run on one machine and can share it
 */
record Connection(SocketChannel socket, boolean isLocal, @Nullable SharedMemory memory)
        implements Closeable {

    Cover cover() {
        return isLocal ? Cover.HEADER : Cover.FRAME;
    }

    @Override
    public void close() throws IOException {
        if (memory != null) {
            memory.close();
        }
        socket.close();
    }
}
