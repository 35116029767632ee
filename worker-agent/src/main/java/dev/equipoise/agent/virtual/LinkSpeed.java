package dev.equipoise.agent.virtual;

/**
 * What frames over one direction of a link take: alpha + beta m for m bytes, headers included
 * (Hockney 1994). Only beta keeps the ports at both ends busy.
 *
 * @param latencyNanos alpha, from the first byte's leaving to its coming, in nanoseconds; at least
 *     0
 * @param nanosPerByte beta, in nanoseconds a byte; at least 0 and finite
 */
public record LinkSpeed(long latencyNanos, double nanosPerByte) {

    public LinkSpeed {
        if (latencyNanos < 0) {
            throw new IllegalArgumentException(
                    "the latency must not be negative, but was " + latencyNanos);
        }
        if (!(nanosPerByte >= 0) || Double.isInfinite(nanosPerByte)) {
            throw new IllegalArgumentException(
                    "the nanoseconds a byte must be finite and not negative, but were "
                            + nanosPerByte);
        }
    }

    /** For how long a frame of so many bytes keeps a port busy. */
    long portNanos(long bytes) {
        return Math.round(bytes * nanosPerByte);
    }
}
