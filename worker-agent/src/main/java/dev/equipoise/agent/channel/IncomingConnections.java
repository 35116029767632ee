package dev.equipoise.agent.channel;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Collects the connections of the higher ranks of a run for one rank, which connects to the lower
 * ranks itself. The threads of the server add connections, the rank takes them.
 */
final class IncomingConnections {

    private final RankIdentity identity;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<Integer, Connection> connections = new TreeMap<>();
    private boolean closed;

    IncomingConnections(RankIdentity identity) {
        this.identity = identity;
    }

    RankIdentity identity() {
        return identity;
    }

    boolean awaits(int peer) {
        return peer > identity.rank() && peer < identity.size();
    }

    /**
     * Adds the connection of an authenticated peer. If the peer is connected already, it has given
     * up its first attempt, and the older connection is closed.
     */
    void add(int peer, Connection connection) {
        lock.lock();
        try {
            Connection superseded = closed ? connection : connections.put(peer, connection);
            if (superseded != null) {
                Sockets.closeQuietly(superseded);
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for all higher ranks and returns their connections; the rank takes none if any is
     * missing at the deadline.
     *
     * @throws ChannelFailed when a rank has not connected in time
     */
    Map<Integer, Connection> takeAll(Deadline deadline) throws InterruptedException {
        lock.lock();
        try {
            while (!isComplete() && !closed && !deadline.hasPassed()) {
                changed.await(Math.max(0, deadline.remainingNanos()), TimeUnit.NANOSECONDS);
            }
            if (!isComplete()) {
                throw new ChannelFailed(
                        ChannelFailed.Reason.PEER_LOST,
                        "%s: of the higher ranks only %s have connected in time"
                                .formatted(identity.describe(), connections.keySet()));
            }
            var taken = Map.copyOf(connections);
            connections.clear();
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /** Closes all connections that were not taken and any that come later. */
    void close() {
        lock.lock();
        try {
            closed = true;
            connections.values().forEach(Sockets::closeQuietly);
            connections.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private boolean isComplete() {
        return connections.size() == identity.size() - 1 - identity.rank();
    }
}
