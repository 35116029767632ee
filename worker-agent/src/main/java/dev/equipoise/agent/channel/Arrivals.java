package dev.equipoise.agent.channel;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The higher ranks of a run that one rank waits for: it connects to the lower ones itself. Filled
 * by the threads of the server, emptied by the rank.
 */
final class Arrivals {

    private final RunGroup group;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<Integer, Connection> connections = new TreeMap<>();
    private boolean closed;

    Arrivals(RunGroup group) {
        this.group = group;
    }

    RunGroup group() {
        return group;
    }

    boolean awaits(int peer) {
        return peer > group.rank() && peer < group.size();
    }

    /**
     * Takes the socket of a proven peer; a peer that comes twice has given up its first attempt.
     */
    void add(int peer, Connection connection) {
        lock.lock();
        try {
            Connection unwanted = closed ? connection : connections.put(peer, connection);
            if (unwanted != null) {
                Sockets.closeQuietly(unwanted);
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Hands over all sockets, or none when they are not all there in time. */
    Map<Integer, Connection> takeAll(Deadline deadline) throws InterruptedException {
        lock.lock();
        try {
            while (!isComplete() && !closed && !deadline.hasPassed()) {
                changed.await(Math.max(0, deadline.remainingNanos()), TimeUnit.NANOSECONDS);
            }
            if (!isComplete()) {
                throw new ChannelFailed(
                        ChannelFailed.Reason.PEER_LOST,
                        "%s: only ranks %s of the ranks above it have come in time"
                                .formatted(group.describe(), connections.keySet()));
            }
            var taken = Map.copyOf(connections);
            connections.clear();
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /** Closes what was not taken and whatever comes later. */
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
        return connections.size() == group.size() - 1 - group.rank();
    }
}
