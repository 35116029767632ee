package dev.equipoise.app.problem;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/** Refuses bodies larger than any that the API needs, also those that do not tell their length. */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 10)
class BodyLimit extends OncePerRequestFilter {

    static final int MOST_BYTES = 1 << 20;

    private final ProblemWriter problems;

    BodyLimit(ProblemWriter problems) {
        this.problems = problems;
    }

    @Override
    protected void doFilterInternal(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (request.getContentLengthLong() > MOST_BYTES) {
            problems.write(request, response, ErrorCode.BODY_TOO_LARGE, rule());
        } else {
            chain.doFilter(new Bounded(request), response);
        }
    }

    static String rule() {
        return "A body has at most %d bytes".formatted(MOST_BYTES);
    }

    private static final class Bounded extends HttpServletRequestWrapper {

        Bounded(HttpServletRequest request) {
            super(request);
        }

        @Override
        public ServletInputStream getInputStream() throws IOException {
            return new BoundedStream(super.getInputStream());
        }
    }

    private static final class BoundedStream extends ServletInputStream {

        private final ServletInputStream body;
        private long left = MOST_BYTES;

        BoundedStream(ServletInputStream body) {
            this.body = body;
        }

        @Override
        public int read() throws IOException {
            int read = body.read();
            count(read < 0 ? 0 : 1);
            return read;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int read = body.read(bytes, offset, length);
            count(Math.max(read, 0));
            return read;
        }

        private void count(int read) {
            left -= read;
            if (left < 0) {
                throw Problem.of(ErrorCode.BODY_TOO_LARGE, rule());
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
