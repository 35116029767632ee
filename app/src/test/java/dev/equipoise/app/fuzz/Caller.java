package dev.equipoise.app.fuzz;

import java.util.Map;

/**
 * A sender of requests.
 *
 * @param name stands for the values of the headers in printed requests
 * @param headers that authenticate the sender; empty for nobody
 */
record Caller(String name, Map<String, String> headers) {

    static final Caller NOBODY = new Caller("NOBODY", Map.of());

    static Caller bearer(String name, String token) {
        return new Caller(name, Map.of("Authorization", "Bearer " + token));
    }
}
