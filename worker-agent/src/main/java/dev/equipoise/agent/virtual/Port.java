package dev.equipoise.agent.virtual;

/** One direction of a rank's wire, which one frame has at a time, first come, first served. */
final class Port {

    private long freeAt;

    /**
     * For the nanoseconds that a frame takes, from when it comes or the port is free.
     *
     * @return when the frame is through
     */
    long occupy(long from, long nanos) {
        freeAt = Math.max(freeAt, from) + nanos;
        return freeAt;
    }
}
