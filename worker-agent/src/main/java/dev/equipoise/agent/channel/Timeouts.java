package dev.equipoise.agent.channel;

import java.time.Duration;

/**
 * The time-outs of a channel.
 *
 * @param connect until all peers are connected; they start at different times
 * @param idle without a single byte sent or received within an exchange
 */
public record Timeouts(Duration connect, Duration idle) {

    /**
     * Default time-outs: 30 s to connect, 10 min idle. The idle time-out is the last resort: a lost
     * peer is detected at once, by its sockets or by the cluster, whereas a peer that is slow, that
     * fetches its data, or that waits for another pair on a slow link can be silent for long.
     */
    public static final Timeouts DEFAULT =
            new Timeouts(Duration.ofSeconds(30), Duration.ofMinutes(10));

    public Timeouts {
        requirePositive("connect", connect);
        requirePositive("idle", idle);
    }

    private static void requirePositive(String name, Duration duration) {
        if (!duration.isPositive()) {
            throw new IllegalArgumentException(
                    "the %s time-out must be positive, but was %s".formatted(name, duration));
        }
    }
}
