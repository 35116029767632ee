package dev.equipoise.agent.channel;

import dev.equipoise.agent.channel.FrameChecksum.Cover;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * A socket to an authenticated peer.
 *
 * @param isLocal whether both ranks run on one host
 * @param memory for the bytes, if both ranks run on one host and can share memory
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
