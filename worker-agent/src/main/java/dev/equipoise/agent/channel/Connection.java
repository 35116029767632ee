package dev.equipoise.agent.channel;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * A socket to a peer that has proven itself.
 *
 * @param memory for the bytes, where both run on one machine
 */
record Connection(SocketChannel socket, @Nullable SharedMemory memory) implements Closeable {

    @Override
    public void close() throws IOException {
        if (memory != null) {
            memory.close();
        }
        socket.close();
    }
}
