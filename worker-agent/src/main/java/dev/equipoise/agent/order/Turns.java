package dev.equipoise.agent.order;

/** Lets the two threads of a rank at what they share, one at a time. */
public interface Turns {

    /**
     * Returns when the calling thread is alone with it.
     *
     * @param decisions of the calling thread, one of which is how many turns are over by then
     */
    void enter(Decisions decisions);

    /** Its turn is over. */
    void leave();
}
