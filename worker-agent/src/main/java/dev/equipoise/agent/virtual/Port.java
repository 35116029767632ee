package dev.equipoise.agent.virtual;

/**
 * One direction of a rank's network port (one-port model): one frame occupies it at a time, in FIFO
 * order.
 */
final class Port {

    private long freeAt;

    /**
     * Occupies the port for a frame, from its arrival or from when the port is free.
     *
     * @return when the frame has passed
     */
    long occupy(long from, long nanos) {
        freeAt = Math.max(freeAt, from) + nanos;
        return freeAt;
    }
}
