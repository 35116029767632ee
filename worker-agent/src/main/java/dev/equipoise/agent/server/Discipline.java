package dev.equipoise.agent.server;

/**
 * Decides when what workers bring is applied, and when they are answered. A worker that has spoken
 * is heard again only when it was answered.
 */
sealed interface Discipline permits Rounds, OnArrival {

    /** A worker asks for values. */
    void pull(Worker worker, Message pull, Holding holding);

    /** Whether a worker may bring this gradient now. */
    boolean accepts(Message push, Holding holding);

    /** More of a gradient has come, perhaps all. */
    void advance(Worker worker, Message push, Holding holding);

    /** A worker has paused. */
    void pause();

    /** All workers are heard again, and none has asked for anything yet. */
    void resume();
}
