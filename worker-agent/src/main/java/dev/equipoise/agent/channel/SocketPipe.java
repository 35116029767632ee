package dev.equipoise.agent.channel;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** Pipe over a non-blocking socket. */
record SocketPipe(SocketChannel socket) implements Pipe {

    private static final int LOCAL_SEND_BUFFER = 128 * 1024;

    /**
     * Returns a pipe between two ranks on one host, where a socket is a queue in the kernel's
     * memory. Its send buffer is limited to 128 KiB: a growing one, as a link to another host
     * needs, holds more than the caches do, and an all-reduce of 16 MB then takes 1.6 times as
     * long.
     */
    static SocketPipe within(SocketChannel socket) throws IOException {
        socket.setOption(StandardSocketOptions.SO_SNDBUF, LOCAL_SEND_BUFFER);
        return new SocketPipe(socket);
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        return socket.read(target);
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        return socket.write(source);
    }

    @Override
    public long write(ByteBuffer[] sources) throws IOException {
        return socket.write(sources);
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        return socket.write(sources, offset, length);
    }

    @Override
    public boolean isOpen() {
        return socket.isOpen();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
