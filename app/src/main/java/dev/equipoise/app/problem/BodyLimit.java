package dev.equipoise.app.problem;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Refuses bodies larger than any that their path needs, also those that do not tell their length,
 * and those that come too slowly: who trickles one holds memory and places that others wait for.
 */
@Order(Ordered.HIGHEST_PRECEDENCE + 10)
class BodyLimit extends OncePerRequestFilter {

    static final int MOST_BYTES = 1 << 20;

    private final ProblemWriter problems;
    private final List<LargerBodies> exceptions;
    private final BodySettings settings;
    private final LongSupplier nanos;

    /**
     * Limits.
     *
     * @param nanos a clock that nobody sets: no caller is slow because of that
     */
    BodyLimit(
            ProblemWriter problems,
            List<LargerBodies> exceptions,
            BodySettings settings,
            LongSupplier nanos) {
        this.problems = problems;
        this.exceptions = List.copyOf(exceptions);
        this.settings = settings;
        this.nanos = nanos;
    }

    @Override
    protected void doFilterInternal(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        long most = mostBytes(request.getRequestURI());
        if (request.getContentLengthLong() > most) {
            problems.write(request, response, ErrorCode.BODY_TOO_LARGE, rule(most));
        } else {
            chain.doFilter(new Bounded(request, most), response);
        }
    }

    private long mostBytes(String path) {
        return exceptions.stream()
                .filter(it -> it.at().matcher(path).matches())
                .mapToLong(LargerBodies::mostBytes)
                .findFirst()
                .orElse(MOST_BYTES);
    }

    private static String rule(long most) {
        return "A body has at most %d bytes here".formatted(most);
    }

    private final class Bounded extends HttpServletRequestWrapper {

        private final long most;

        Bounded(HttpServletRequest request, long most) {
            super(request);
            this.most = most;
        }

        @Override
        public ServletInputStream getInputStream() throws IOException {
            return new BoundedStream(super.getInputStream(), this);
        }

        private Problem tooSlow(long read, Duration taken) {
            UnreadBodies.leave(this);
            return Problem.of(
                    ErrorCode.BODY_TOO_SLOW,
                    "Of the body %d bytes have come in %d s".formatted(read, taken.toSeconds()));
        }
    }

    private final class BoundedStream extends ServletInputStream {

        private final ServletInputStream body;
        private final Bounded request;
        private final long begun = nanos.getAsLong();
        private long read;

        BoundedStream(ServletInputStream body, Bounded request) {
            this.body = body;
            this.request = request;
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
            } catch (SocketTimeoutException silent) {
                throw request.tooSlow(read, taken());
            }
        }

        private Duration taken() {
            return Duration.ofNanos(nanos.getAsLong() - begun);
        }

        private void count(int more) {
            read += more;
            if (read > request.most) {
                throw Problem.of(ErrorCode.BODY_TOO_LARGE, rule(request.most));
            }
            Duration taken = taken();
            if (taken.compareTo(settings.patience(read)) > 0) {
                throw request.tooSlow(read, taken);
            }
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
}
