package dev.equipoise.agent.channel;

import dev.equipoise.protocol.LinkLimit;
import java.time.Duration;
import java.util.List;

/**
 * The limits of a shaped link, which emulates a slower network.
 *
 * @param bytesPerSecond bandwidth of one direction, in bytes per second; {@link
 *     Double#POSITIVE_INFINITY} for no cap
 * @param delay added to every frame
 */
public record LinkLimits(double bytesPerSecond, Duration delay) {

    /** No limits. */
    public static final LinkLimits NONE = new LinkLimits(Double.POSITIVE_INFINITY, Duration.ZERO);

    private static final double BYTES_PER_MEGABYTE = 1e6;
    private static final double NANOS_PER_MILLISECOND = 1e6;

    public LinkLimits {
        if (!(bytesPerSecond > 0)) {
            throw new IllegalArgumentException(
                    "the bandwidth must be positive, but was %s bytes per second"
                            .formatted(bytesPerSecond));
        }
        if (delay.isNegative()) {
            throw new IllegalArgumentException("the delay must not be negative, but was " + delay);
        }
    }

    /** Shapes the links of a rank to all other ranks as the definition says. */
    public static void shape(Channel channel, List<LinkLimit> limits) {
        for (int peer = 0; peer < channel.size(); peer++) {
            if (peer != channel.rank()) {
                int to = peer;
                LinkLimit.of(limits, channel.rank(), peer)
                        .ifPresent(limit -> channel.limit(to, of(limit)));
            }
        }
    }

    private static LinkLimits of(LinkLimit limit) {
        Double bandwidth = limit.megabytesPerSecond();
        return new LinkLimits(
                bandwidth == null ? Double.POSITIVE_INFINITY : bandwidth * BYTES_PER_MEGABYTE,
                Duration.ofNanos(Math.round(limit.delayMilliseconds() * NANOS_PER_MILLISECOND)));
    }
}
