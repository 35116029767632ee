package dev.equipoise.app.problem;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Refuses bodies larger than any that their path needs, also those that do not tell their length.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 10)
class BodyLimit extends OncePerRequestFilter {

    static final int MOST_BYTES = 1 << 20;

    private final ProblemWriter problems;
    private final List<LargerBodies> exceptions;

    BodyLimit(ProblemWriter problems, List<LargerBodies> exceptions) {
        this.problems = problems;
        this.exceptions = List.copyOf(exceptions);
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

    private static final class Bounded extends HttpServletRequestWrapper {

        private final long most;

        Bounded(HttpServletRequest request, long most) {
            super(request);
            this.most = most;
        }

        @Override
        public ServletInputStream getInputStream() throws IOException {
            return new BoundedStream(super.getInputStream(), most);
        }
    }

    private static final class BoundedStream extends ServletInputStream {

        private final ServletInputStream body;
        private final long most;
        private long left;

        BoundedStream(ServletInputStream body, long most) {
            this.body = body;
            this.most = most;
            this.left = most;
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
                throw Problem.of(ErrorCode.BODY_TOO_LARGE, rule(most));
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
