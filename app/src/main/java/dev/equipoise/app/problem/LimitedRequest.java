package dev.equipoise.app.problem;

import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.util.FastByteArrayOutputStream;

/**
 * A request whose body is completely in memory before the first byte is read, unless it is
 * streamed: what is built from a body while it arrives, such as a tree, takes many times its bytes,
 * for as long as its sender likes.
 */
final class LimitedRequest extends HttpServletRequestWrapper {

    /** Bytes that are not counted, so that heartbeats do not depend on large bodies of others. */
    private static final int FREE_BYTES = 4 << 10;

    private static final int CHUNK_BYTES = 8 << 10;
    private static final int RETRY_AFTER_SECONDS = 5;

    private final BodyLimitExemption limits;
    private final boolean isText;
    private final BodySettings settings;
    private final BodyBudget budget;
    private final LongSupplier nanos;
    private @Nullable FastByteArrayOutputStream body;
    private String caller = "";
    private long counted;

    /**
     * @param limits those of the path
     * @param isText whether the body must be UTF-8
     */
    LimitedRequest(
            HttpServletRequest request,
            BodyLimitExemption limits,
            boolean isText,
            BodySettings settings,
            BodyBudget budget,
            LongSupplier nanos) {
        super(request);
        this.limits = limits;
        this.isText = isText;
        this.settings = settings;
        this.budget = budget;
        this.nanos = nanos;
    }

    /**
     * Returns the body, each time from its beginning if it is not streamed.
     *
     * @throws Problem {@code body-too-large}, {@code body-too-slow}, {@code busy}, or {@code
     *     malformed-body} for a text that is not UTF-8
     */
    @Override
    public ServletInputStream getInputStream() throws IOException {
        if (limits.isStreamed()) {
            return arriving();
        }
        if (body == null) {
            body = received();
        }
        return new BufferedBody(body.getInputStream());
    }

    private TimedBody arriving() throws IOException {
        return new TimedBody(getRequest(), limits.mostBytes(), settings, nanos);
    }

    private FastByteArrayOutputStream received() throws IOException {
        caller = caller();
        TimedBody arriving = arriving();
        var received = new FastByteArrayOutputStream();
        byte[] chunk = new byte[CHUNK_BYTES];
        for (int more = arriving.read(chunk); more >= 0; more = arriving.read(chunk)) {
            received.write(chunk, 0, more);
            count(received.size());
        }
        if (isText) {
            requireUtf8(received.toByteArrayUnsafe());
        }
        return received;
    }

    /** Returns who shares memory: a caller with a name, or all without one at an address. */
    private String caller() {
        Authentication known = SecurityContextHolder.getContext().getAuthentication();
        return known == null || known instanceof AnonymousAuthenticationToken
                ? getRemoteAddr()
                : known.getName();
    }

    private void count(int received) {
        long more = received - FREE_BYTES - counted;
        if (more <= 0) {
            return;
        }
        if (!budget.take(caller, more)) {
            throw Problem.of(
                            ErrorCode.BUSY,
                            "The memory for bodies (equipoise.body.memory), or your quarter of it,"
                                    + " is used up: try again")
                    .retryAfter(RETRY_AFTER_SECONDS);
        }
        counted += more;
    }

    private static void requireUtf8(byte[] text) {
        Utf8.firstInvalid(text)
                .ifPresent(at -> {
                    throw Problem.of(
                            ErrorCode.MALFORMED_BODY,
                            "the body is not UTF-8: byte 0x%02x at index %d"
                                    .formatted(text[at], at));
                });
    }

    /** Gives the memory back. */
    void release() {
        if (counted > 0) {
            budget.giveBack(caller, counted);
            counted = 0;
        }
    }
}
