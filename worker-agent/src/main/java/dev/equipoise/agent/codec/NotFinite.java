package dev.equipoise.agent.codec;

/**
 * A vector that is to be coded holds what is no number: the training that it is of has diverged.
 */
public final class NotFinite extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    NotFinite(int index, float value) {
        super("element %d must be finite, but was %s".formatted(index, value));
    }
}
