package dev.equipoise.protocol;

import org.jspecify.annotations.Nullable;

/**
 * Result of a {@link ProbeRequest}.
 *
 * @param worker id of the worker to reach
 * @param address address that was tried, as {@code host:port}
 * @param failure why the worker cannot be reached there, such as {@code connection timed out}; null
 *     if it can. Truncated to 200 characters; control characters become blanks.
 */
public record ProbeResult(WorkerId worker, String address, @Nullable String failure) {

    /** Longest failure, in characters. */
    public static final int MAX_FAILURE = 200;

    public ProbeResult {
        Rules.present("worker", worker);
        Rules.address("address", address, Heartbeat.MAX_ADDRESS);
        failure = failure == null ? null : shortened(DisplayText.clean(failure));
    }

    private static String shortened(String text) {
        return text.substring(0, Math.min(text.length(), MAX_FAILURE));
    }
}
