package dev.equipoise.app.problem;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** An invalid body, and its fault. */
final class BadBody {

    private final String fault;
    private final boolean invalid;
    private final @Nullable String type;
    private final byte[] bytes;

    private BadBody(String fault, boolean invalid, @Nullable String type, byte[] bytes) {
        this.fault = fault;
        this.invalid = invalid;
        this.type = type;
        this.bytes = bytes.clone();
    }

    /** Returns a body that no parser may accept. */
    static BadBody invalid(String fault, @Nullable String type, byte[] bytes) {
        return new BadBody(fault, true, type, bytes);
    }

    static BadBody invalid(String fault, @Nullable String type, String text) {
        return invalid(fault, type, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns a body that may turn out to be valid, such as one that lacks an optional field. */
    static BadBody suspect(String fault, String type, String text) {
        return suspect(fault, type, text.getBytes(StandardCharsets.UTF_8));
    }

    static BadBody suspect(String fault, String type, byte[] bytes) {
        return new BadBody(fault, false, type, bytes);
    }

    boolean isInvalid() {
        return invalid;
    }

    /** Null if there is no content type. */
    @Nullable String type() {
        return type;
    }

    byte[] bytes() {
        return bytes.clone();
    }

    /** Returns the fault and the beginning of the body. */
    @Override
    public String toString() {
        String text = new String(bytes, StandardCharsets.UTF_8);
        return "%s: %s".formatted(fault, text.substring(0, Math.min(text.length(), 600)));
    }
}
