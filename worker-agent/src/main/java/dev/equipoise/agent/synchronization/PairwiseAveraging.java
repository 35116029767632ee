package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.instrument.Instruments;

/** Pairwise averaging of AD-PSGD, in the background of one rank. */
interface PairwiseAveraging {

    /**
     * Returns whether this rank is active and asks; passive ranks answer until all active ones have
     * left.
     */
    boolean isActive();

    /** Returns whether {@link #average} must be called; for passive ranks, once an epoch. */
    boolean isDue();

    /**
     * Runs one averaging of an active rank, or all of an epoch for a passive one; in the
     * background.
     */
    void average();

    /** Tells the passive ranks that this active rank ends its epoch; in the background. */
    void leave();

    /** Returns the number of random draws. */
    default long drawn() {
        return 0;
    }

    /** Skips draws, to continue after this many. */
    default void resumeAfter(long drawn) {}

    /** Adds the background's figures to those of the rank. */
    void addTo(Instruments rankInstruments);
}
