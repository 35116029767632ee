package dev.equipoise.agent.channel;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** Blocking reads with a deadline, for sockets that are not registered with a selector yet. */
final class Sockets {

    private Sockets() {}

    static ByteBuffer read(SocketChannel socket, int bytes, Deadline deadline) throws IOException {
        byte[] message = new byte[bytes];
        InputStream input = socket.socket().getInputStream();
        for (int filled = 0; filled < bytes; ) {
            socket.socket().setSoTimeout(deadline.remainingMillis());
            int moved = input.read(message, filled, bytes - filled);
            if (moved < 0) {
                throw new EOFException("the peer has closed the connection during the handshake");
            }
            filled += moved;
        }
        return ByteBuffer.wrap(message);
    }

    /**
     * Writes a part of a handshake. It fits into the buffer of a new socket, so it never blocks.
     */
    static void write(SocketChannel socket, ByteBuffer... parts) throws IOException {
        for (ByteBuffer part : parts) {
            while (part.hasRemaining()) {
                socket.write(part);
            }
        }
    }

    static void closeQuietly(Closeable closeable) {
        try {
            closeable.close();
        } catch (IOException _) {
            // The caller has no more use for it.
        }
    }
}
