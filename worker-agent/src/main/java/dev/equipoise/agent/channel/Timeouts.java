package dev.equipoise.agent.channel;

import java.time.Duration;

/**
 * How patient a direct channel is.
 *
 * @param connect until all peers are there; they come up at different times
 * @param idle without a single byte sent or received within an exchange
 */
public record Timeouts(Duration connect, Duration idle) {

    /** Half a minute to meet, a minute of silence. */
    public static final Timeouts DEFAULT =
            new Timeouts(Duration.ofSeconds(30), Duration.ofSeconds(60));

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
