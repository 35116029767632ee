package dev.equipoise.agent.codec;

/**
 * Thrown when a frame cannot come from its codec. The target vector is partly overwritten then and
 * must be discarded.
 */
public final class FrameCorrupt extends RuntimeException {

    private FrameCorrupt(String message) {
        super(message);
    }

    /**
     * Creates the exception for a violated rule.
     *
     * @param rule the rule, for example {@code an index must be below 10}
     * @param offset in bytes from the beginning of the payload
     */
    static FrameCorrupt of(String rule, Object actual, long offset) {
        return new FrameCorrupt(
                "%s, but was %s at byte %d of the payload".formatted(rule, actual, offset));
    }
}
