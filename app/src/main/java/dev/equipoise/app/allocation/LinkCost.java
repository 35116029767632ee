package dev.equipoise.app.allocation;

import dev.equipoise.protocol.Execution;

/**
 * The Hockney parameters of a link.
 *
 * @param latency alpha, in seconds
 * @param secondsPerByte beta
 */
public record LinkCost(double latency, double secondsPerByte) {

    private static final double MICRO = 1e-6;
    private static final double MEGA = 1e6;

    /** The cost of a link of a definition. */
    public static LinkCost of(Execution.Link link) {
        return new LinkCost(
                link.latencyMicroseconds() * MICRO, 1 / (link.megabytesPerSecond() * MEGA));
    }
}
