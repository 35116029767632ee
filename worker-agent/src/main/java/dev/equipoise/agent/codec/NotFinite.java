package dev.equipoise.agent.codec;

/** Thrown when a vector to be encoded contains NaN or infinity: its training has diverged. */
public final class NotFinite extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    NotFinite(int index, float value) {
        super("element %d must be finite, but was %s".formatted(index, value));
    }
}
