package dev.equipoise.app.problem;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A body with something wrong in it, and what that is. */
final class BadBody {

    private final String fault;
    private final boolean hopeless;
    private final @Nullable String type;
    private final byte[] bytes;

    private BadBody(String fault, boolean hopeless, @Nullable String type, byte[] bytes) {
        this.fault = fault;
        this.hopeless = hopeless;
        this.type = type;
        this.bytes = bytes.clone();
    }

    /** One that no reader may take. */
    static BadBody hopeless(String fault, @Nullable String type, byte[] bytes) {
        return new BadBody(fault, true, type, bytes);
    }

    static BadBody hopeless(String fault, @Nullable String type, String text) {
        return hopeless(fault, type, text.getBytes(StandardCharsets.UTF_8));
    }

    /** One that may turn out to be meant so, such as a body that lacks an optional field. */
    static BadBody doubtful(String fault, String type, String text) {
        return doubtful(fault, type, text.getBytes(StandardCharsets.UTF_8));
    }

    static BadBody doubtful(String fault, String type, byte[] bytes) {
        return new BadBody(fault, false, type, bytes);
    }

    boolean isHopeless() {
        return hopeless;
    }

    /** Null where none is told. */
    @Nullable String type() {
        return type;
    }

    byte[] bytes() {
        return bytes.clone();
    }

    /** What is wrong, and the beginning of the body. */
    @Override
    public String toString() {
        String text = new String(bytes, StandardCharsets.UTF_8);
        return "%s: %s".formatted(fault, text.substring(0, Math.min(text.length(), 600)));
    }
}
