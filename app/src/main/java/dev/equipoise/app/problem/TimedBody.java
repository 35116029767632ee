package dev.equipoise.app.problem;

import jakarta.servlet.ReadListener;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.function.LongSupplier;

/** A body of a request that must be small and arrive fast enough. */
final class TimedBody extends ServletInputStream {

    private final ServletRequest request;
    private final ServletInputStream body;
    private final long limit;
    private final BodySettings settings;
    private final LongSupplier nanos;
    private final long start;
    private long read;

    /**
     * @param limit of the body, in bytes
     * @param nanos a monotonic clock, in nanoseconds
     */
    TimedBody(ServletRequest request, long limit, BodySettings settings, LongSupplier nanos)
            throws IOException {
        this.request = request;
        this.body = request.getInputStream();
        this.limit = limit;
        this.settings = settings;
        this.nanos = nanos;
        this.start = nanos.getAsLong();
    }

    static String rule(long limit) {
        return "A body is at most %d bytes here".formatted(limit);
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        try {
            int more = body.read(bytes, offset, length);
            count(Math.max(more, 0));
            return more;
        } catch (IOException failure) {
            if (isSilence(failure)) {
                // The container would report the exception that it has noted as its own failure.
                request.removeAttribute(RequestDispatcher.ERROR_EXCEPTION);
                throw tooSlow(taken());
            }
            throw failure;
        }
    }

    /** Tells whether the sender was silent for too long; the container wraps the timeout. */
    private static boolean isSilence(IOException failure) {
        return failure instanceof SocketTimeoutException
                || failure.getCause() instanceof SocketTimeoutException;
    }

    private Duration taken() {
        return Duration.ofNanos(nanos.getAsLong() - start);
    }

    private void count(int more) {
        read += more;
        if (read > limit) {
            throw Problem.of(ErrorCode.BODY_TOO_LARGE, rule(limit));
        }
        Duration taken = taken();
        if (taken.compareTo(settings.patience(read)) > 0) {
            throw tooSlow(taken);
        }
    }

    private Problem tooSlow(Duration taken) {
        UnreadBodyCloser.leave(request);
        return Problem.of(
                ErrorCode.BODY_TOO_SLOW,
                "Only %d bytes of the body arrived in %d s: send it faster"
                        .formatted(read, taken.toSeconds()));
    }

    @Override
    public boolean isFinished() {
        return body.isFinished();
    }

    @Override
    public boolean isReady() {
        return body.isReady();
    }

    @Override
    public void setReadListener(ReadListener listener) {
        body.setReadListener(listener);
    }
}
