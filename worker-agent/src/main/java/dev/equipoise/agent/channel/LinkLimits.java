package dev.equipoise.agent.channel;

import dev.equipoise.protocol.LinkLimit;
import java.time.Duration;

/**
 * What a link is held back to, so that an experiment can have the network that it asks about.
 *
 * @param bytesPerSecond of one direction; {@link Double#POSITIVE_INFINITY} for no cap
 * @param delay added to every frame
 */
public record LinkLimits(double bytesPerSecond, Duration delay) {

    /** As fast as it goes. */
    public static final LinkLimits NONE = new LinkLimits(Double.POSITIVE_INFINITY, Duration.ZERO);

    private static final double BYTES_PER_MEGABYTE = 1e6;
    private static final double NANOS_PER_MILLISECOND = 1e6;

    public LinkLimits {
        if (!(bytesPerSecond > 0)) {
            throw new IllegalArgumentException(
                    "the bandwidth must be positive, but was %s bytes a second"
                            .formatted(bytesPerSecond));
        }
        if (delay.isNegative()) {
            throw new IllegalArgumentException("the delay must not be negative, but was " + delay);
        }
    }

    /** As a definition says it. */
    public static LinkLimits of(LinkLimit limit) {
        Double bandwidth = limit.megabytesPerSecond();
        return new LinkLimits(
                bandwidth == null ? Double.POSITIVE_INFINITY : bandwidth * BYTES_PER_MEGABYTE,
                Duration.ofNanos(Math.round(limit.delayMilliseconds() * NANOS_PER_MILLISECOND)));
    }
}
