package dev.equipoise.app.worker;

import dev.equipoise.protocol.WorkerId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The probes by which one worker tries whether it reaches the data address of another.
 *
 * @param worker the worker to be reached
 * @param address its data address, as {@code host:port}
 * @param failure why the last probe failed, such as {@code connection timed out}; null if it
 *     succeeded or there was none
 * @param at time of the last result; null before the first
 * @param failures number of failures in a row
 * @param next time of the next probe
 */
public record PeerProbe(
        WorkerId worker,
        String address,
        @Nullable String failure,
        @Nullable Instant at,
        int failures,
        Instant next) {}
