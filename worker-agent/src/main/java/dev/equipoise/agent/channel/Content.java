package dev.equipoise.agent.channel;

/**
 * What the payload of a frame means to those who exchange it.
 *
 * @param codec 0 for plain bytes, else the number of the codec that decodes it
 * @param flags the codec's own
 * @param elements of the decoded vector; 0 for plain bytes, whose length says it
 */
public record Content(byte codec, byte flags, int elements) {

    /** Bytes as they lie in memory. */
    public static final Content PLAIN = new Content((byte) 0, (byte) 0, 0);

    public Content {
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

    /** Whether these are bytes as they lie in memory. */
    public boolean isPlain() {
        return codec == 0;
    }
}
