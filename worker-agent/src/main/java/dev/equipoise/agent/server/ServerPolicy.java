package dev.equipoise.agent.server;

/**
 * Server policy: decides when gradients are applied and when workers are answered. The server
 * receives from a worker again only after its request was answered.
 */
sealed interface ServerPolicy permits Rounds, OnArrival {

    /** Handles the pull of a worker. */
    void pull(ServedRank worker, Message pull, ServedShard served);

    /** Returns whether a worker may push this gradient now. */
    boolean accepts(Message push, ServedShard served);

    /** Handles a further part of a gradient, perhaps the last. */
    void advance(ServedRank worker, Message push, ServedShard served);

    /** Handles the pause of a worker. */
    void pause();

    /** Prepares for serving again: all workers are active, and none has sent a request yet. */
    void resume();
}
