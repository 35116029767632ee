package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.instrument.Instruments;

/** One rank's meetings with its neighbours, in its background. */
interface Meetings {

    /** Whether this rank begins meetings; others answer all that come, until nobody comes more. */
    boolean isActive();

    /** Whether {@link #go} is to be called; for passive ranks, once an epoch. */
    boolean beginsAnother();

    /** In the background: one meeting, or all of an epoch. */
    void go();

    /** In the background of an active rank: it begins none any more in this epoch. */
    void leave();

    /** How often it has drawn whom to meet. */
    default long drawn() {
        return 0;
    }

    /** Draws next what comes after so many. */
    default void resumeAfter(long drawn) {}

    /** Adds what went on in the background to the figures of the rank. */
    void tell(Instruments ofRank);
}
