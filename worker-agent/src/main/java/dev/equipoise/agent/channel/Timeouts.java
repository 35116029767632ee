package dev.equipoise.agent.channel;

import java.time.Duration;

/**
 * How patient a channel is.
 *
 * @param connect until all peers are there; they come up at different times
 * @param idle without a single byte sent or received within an exchange
 */
public record Timeouts(Duration connect, Duration idle) {

    /**
     * Half a minute to meet. Silence is the last resort: a peer that is lost is seen at once, by
     * its sockets or by the cluster, while one that is slow, that fetches its data, or that waits
     * for another pair on a slow link says nothing for long.
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
