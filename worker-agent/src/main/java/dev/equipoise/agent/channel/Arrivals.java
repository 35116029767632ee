package dev.equipoise.agent.channel;

import java.nio.channels.SocketChannel;
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
    private final Map<Integer, SocketChannel> sockets = new TreeMap<>();
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
    void add(int peer, SocketChannel socket) {
        lock.lock();
        try {
            SocketChannel unwanted = closed ? socket : sockets.put(peer, socket);
            if (unwanted != null) {
                Sockets.closeQuietly(unwanted);
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Hands over all sockets, or none when they are not all there in time. */
    Map<Integer, SocketChannel> takeAll(Deadline deadline) throws InterruptedException {
        lock.lock();
        try {
            while (!isComplete() && !closed && !deadline.hasPassed()) {
                changed.await(Math.max(0, deadline.remainingNanos()), TimeUnit.NANOSECONDS);
            }
            if (!isComplete()) {
                throw new ChannelFailed(
                        "%s: only ranks %s of the ranks above it have come in time"
                                .formatted(group.describe(), sockets.keySet()));
            }
            var taken = Map.copyOf(sockets);
            sockets.clear();
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
            sockets.values().forEach(Sockets::closeQuietly);
            sockets.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private boolean isComplete() {
        return sockets.size() == group.size() - 1 - group.rank();
    }
}
