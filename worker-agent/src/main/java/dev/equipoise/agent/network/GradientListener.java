package dev.equipoise.agent.network;

/**
 * Listens to a backward pass. The computing thread calls it, and the part that is complete may be
 * read by any thread from then on until the next gradient.
 */
@FunctionalInterface
public interface GradientListener {

    /** Ignores all calls. */
    GradientListener NONE = _ -> {};

    /**
     * Announces a completed part of the gradient.
     *
     * @param offset all bytes of the flat gradient from this one on are complete; 0 for all
     */
    void completeFrom(long offset);
}
