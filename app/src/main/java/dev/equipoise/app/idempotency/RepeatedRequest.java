package dev.equipoise.app.idempotency;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** A request whose body was read already, and is read again. */
final class RepeatedRequest extends HttpServletRequestWrapper {

    private final byte[] body;

    private RepeatedRequest(HttpServletRequest request, byte[] body) {
        super(request);
        this.body = body;
    }

    static RepeatedRequest of(HttpServletRequest request) throws IOException {
        return new RepeatedRequest(request, request.getInputStream().readAllBytes());
    }

    /** Of all that says what is wanted: the same request has the same. */
    byte[] fingerprint() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            String head =
                    "%s %s?%s\n%s\n"
                            .formatted(
                                    getMethod(),
                                    getRequestURI(),
                                    getQueryString(),
                                    getContentType());
            digest.update(head.getBytes(StandardCharsets.UTF_8));
            return digest.digest(body);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }

    @Override
    public ServletInputStream getInputStream() {
        var bytes = new ByteArrayInputStream(body);
        return new ServletInputStream() {

            @Override
            public int read() {
                return bytes.read();
            }

            @Override
            public int read(byte[] into, int offset, int length) {
                return bytes.read(into, offset, length);
            }

            @Override
            public boolean isFinished() {
                return bytes.available() == 0;
            }

            @Override
            public boolean isReady() {
                return true;
            }

            @Override
            public void setReadListener(ReadListener listener) {
                throw new UnsupportedOperationException("it is all there");
            }
        };
    }
}
