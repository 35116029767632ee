package dev.equipoise.agent.order;

/**
 * A lock for the state that the two threads of a rank share, whose order of acquisitions can be
 * recorded and replayed.
 */
public interface OrderedLock {

    /**
     * Acquires the lock for the calling thread.
     *
     * @param choices of the calling thread, one of which is the number of earlier acquisitions
     */
    void enter(ChoiceSource choices);

    /** Releases the lock. */
    void leave();
}
