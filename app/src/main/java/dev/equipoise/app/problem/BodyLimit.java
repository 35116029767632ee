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
 * Rejects bodies larger than the limit of their path, even if their length is not declared, and
 * bodies that arrive too slowly: a slow upload holds memory and a slot that others wait for.
 */
@Order(Ordered.HIGHEST_PRECEDENCE + 10)
class BodyLimit extends OncePerRequestFilter {

    static final int MAX_BYTES = 1 << 20;

    private final ProblemWriter problems;
    private final List<BodyLimitExemption> exemptions;
    private final BodySettings settings;
    private final LongSupplier nanos;

    /**
     * @param nanos a monotonic clock, in nanoseconds: a clock adjustment must not make a caller
     *     slow
     */
    BodyLimit(
            ProblemWriter problems,
            List<BodyLimitExemption> exemptions,
            BodySettings settings,
            LongSupplier nanos) {
        this.problems = problems;
        this.exemptions = List.copyOf(exemptions);
        this.settings = settings;
        this.nanos = nanos;
    }

    @Override
    protected void doFilterInternal(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        long limit = maxBytes(request.getRequestURI());
        if (request.getContentLengthLong() > limit) {
            problems.write(request, response, ErrorCode.BODY_TOO_LARGE, rule(limit));
        } else {
            chain.doFilter(new LimitedRequest(request, limit), response);
        }
    }

    private long maxBytes(String path) {
        return exemptions.stream()
                .filter(it -> it.at().matcher(path).matches())
                .mapToLong(BodyLimitExemption::mostBytes)
                .findFirst()
                .orElse(MAX_BYTES);
    }

    private static String rule(long limit) {
        return "A body is at most %d bytes here".formatted(limit);
    }

    private final class LimitedRequest extends HttpServletRequestWrapper {

        private final long limit;

        LimitedRequest(HttpServletRequest request, long limit) {
            super(request);
            this.limit = limit;
        }

        @Override
        public ServletInputStream getInputStream() throws IOException {
            return new LimitedStream(super.getInputStream(), this);
        }

        private Problem tooSlow(long read, Duration taken) {
            UnreadBodyCloser.leave(this);
            return Problem.of(
                    ErrorCode.BODY_TOO_SLOW,
                    "Only %d bytes of the body arrived in %d s: send it faster"
                            .formatted(read, taken.toSeconds()));
        }
    }

    private final class LimitedStream extends ServletInputStream {

        private final ServletInputStream body;
        private final LimitedRequest request;
        private final long start = nanos.getAsLong();
        private long read;

        LimitedStream(ServletInputStream body, LimitedRequest request) {
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
            return Duration.ofNanos(nanos.getAsLong() - start);
        }

        private void count(int more) {
            read += more;
            if (read > request.limit) {
                throw Problem.of(ErrorCode.BODY_TOO_LARGE, rule(request.limit));
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
