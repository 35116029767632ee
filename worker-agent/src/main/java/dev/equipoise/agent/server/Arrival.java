package dev.equipoise.agent.server;

/**
 * Arrival of a gradient at a server.
 *
 * @param staleness updates of the shard between the read of the weights on which the gradient was
 *     computed and now; 0 in rounds
 * @param replica rank of the replica that has computed it; -1 if all have
 * @param round of the replica in the epoch, from 0
 */
public record Arrival(long staleness, int replica, int round) {

    /** The sum of the gradients of all replicas. */
    static final Arrival OF_ALL = new Arrival(0, -1, 0);
}
