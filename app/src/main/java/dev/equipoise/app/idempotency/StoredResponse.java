package dev.equipoise.app.idempotency;

import org.jspecify.annotations.Nullable;

/**
 * A response to a request with an idempotency key.
 *
 * @param location of the created resource, if the response names it
 * @param body encrypted while it is stored
 */
record StoredResponse(
        int status, @Nullable String contentType, @Nullable String location, Body body) {

    /** Bytes with identity equality. */
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
