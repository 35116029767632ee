package dev.equipoise.agent.codec;

/**
 * A frame does not say what its codec would have said. The vector that it was decoded onto holds a
 * part of it and must be thrown away.
 */
public final class FrameCorrupt extends RuntimeException {

    private FrameCorrupt(String message) {
        super(message);
    }

    /**
     * Makes the exception for what does not keep a rule.
     *
     * @param rule what must be, for example {@code an index must be below 10}
     * @param offset in bytes from the payload's beginning
     */
    static FrameCorrupt of(String rule, Object actual, long offset) {
        return new FrameCorrupt(
                "%s, but was %s at byte %d of the payload".formatted(rule, actual, offset));
    }
}
