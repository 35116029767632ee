package dev.equipoise.app.idempotency;

import org.jspecify.annotations.Nullable;

/**
 * What was answered.
 *
 * @param location of what was made, where the answer told it
 * @param body sealed while it is stored
 */
record KeptAnswer(int status, @Nullable String contentType, @Nullable String location, Body body) {

    /** Bytes that are equal only to themselves. */
    static final class Body {

        private final byte[] bytes;

        Body(byte[] bytes) {
            this.bytes = bytes.clone();
        }

        byte[] bytes() {
            return bytes.clone();
        }
    }
}
