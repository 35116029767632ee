package dev.equipoise.agent.channel;

/**
 * The type of a frame's payload.
 *
 * @param codec 0 for plain bytes, else the number of the codec that decodes it
 * @param flags defined by the codec
 * @param elements number of elements of the decoded vector; 0 for plain bytes, whose length
 *     determines it
 */
public record PayloadType(byte codec, byte flags, int elements) {

    /** Plain bytes, as they lie in memory. */
    public static final PayloadType PLAIN = new PayloadType((byte) 0, (byte) 0, 0);

    public PayloadType {
        if (codec == 0 && (flags != 0 || elements != 0)) {
            throw new IllegalArgumentException(
                    "plain bytes have no flags and no elements, but had %d and %d"
                            .formatted(flags, elements));
        }
        if (elements < 0) {
            throw new IllegalArgumentException(
                    "elements must not be negative, but were " + elements);
        }
    }

    /** Returns whether the payload is plain bytes, as they lie in memory. */
    public boolean isPlain() {
        return codec == 0;
    }
}
