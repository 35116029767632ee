package dev.equipoise.agent.server;

/**
 * Server policy: decides when gradients are applied and when replicas are answered. The server
 * receives from a replica again only after its request was answered.
 */
sealed interface ServerPolicy permits Rounds, OnArrival {

    /** Handles the pull of a replica. */
    void pull(ServedRank replica, Message pull, ServedShard served);

    /** Returns whether a replica may push this gradient now. */
    boolean accepts(Message push, ServedShard served);

    /** Handles a further part of a gradient, perhaps the last. */
    void advance(ServedRank replica, Message push, ServedShard served);

    /** Handles a round that a replica has completed without a gradient. */
    void skip(ServedRank replica, Message skip, ServedShard served);

    /** Handles the pause of a replica. */
    void pause();

    /** Prepares for serving again: all replicas are active, and none has sent a request yet. */
    void resume();
}
