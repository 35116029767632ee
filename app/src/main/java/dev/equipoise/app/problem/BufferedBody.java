package dev.equipoise.app.problem;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A body that has arrived completely. */
final class BufferedBody extends ServletInputStream {

    private final InputStream bytes;

    BufferedBody(InputStream bytes) {
        this.bytes = bytes;
    }

    @Override
    public int read() throws IOException {
        return bytes.read();
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        return bytes.read(into, offset, length);
    }

    @Override
    public int available() throws IOException {
        return bytes.available();
    }

    @Override
    public boolean isFinished() {
        try {
            return bytes.available() == 0;
        } catch (IOException impossible) {
            throw new IllegalStateException("bytes in memory can be read", impossible);
        }
    }

    @Override
    public boolean isReady() {
        return true;
    }

    @Override
    public void setReadListener(ReadListener listener) {
        throw new UnsupportedOperationException("the body is in memory: read it directly");
    }
}
