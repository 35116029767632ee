package dev.equipoise.agent.virtual;

/**
 * The Hockney model (1994) of one direction of a link: alpha + beta m for a frame of m bytes,
 * headers included. Only beta occupies the ports at both ends.
 *
 * @param latencyNanos alpha, the time from sending to receiving the first byte, in nanoseconds; at
 *     least 0
 * @param nanosPerByte beta, in nanoseconds per byte; at least 0 and finite
 */
public record LinkSpeed(long latencyNanos, double nanosPerByte) {

    public LinkSpeed {
        if (latencyNanos < 0) {
            throw new IllegalArgumentException(
                    "the latency must not be negative, but was " + latencyNanos);
        }
        if (!(nanosPerByte >= 0) || Double.isInfinite(nanosPerByte)) {
            throw new IllegalArgumentException(
                    "the nanoseconds per byte must be finite and not negative, but were "
                            + nanosPerByte);
        }
    }

    /** Returns for how many nanoseconds a frame occupies a port. */
    long portNanos(long bytes) {
        return Math.round(bytes * nanosPerByte);
    }
}
