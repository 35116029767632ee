package dev.equipoise.agent.channel;

import java.net.InetAddress;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The connections that are not authenticated yet, up to a limit. When one more comes, the oldest
 * connection of the address that has most of them is evicted. A genuine peer, which answers within
 * milliseconds, is therefore not kept out by connections that stay silent. Thread-safe.
 */
final class UnauthenticatedConnections {

    private final int limit;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<InetAddress, Deque<SocketChannel>> byAddress = new LinkedHashMap<>();
    private int count;

    UnauthenticatedConnections(int limit) {
        this.limit = limit;
    }

    /** Adds a connection; returns the connection to be evicted for it, if any. */
    Optional<SocketChannel> admit(SocketChannel socket, InetAddress address) {
        lock.lock();
        try {
            byAddress.computeIfAbsent(address, _ -> new ArrayDeque<>()).addLast(socket);
            count++;
            return count > limit ? Optional.of(removeOldest()) : Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    private SocketChannel removeOldest() {
        var fullest =
                byAddress.entrySet().stream()
                        .max(Comparator.comparingInt(it -> it.getValue().size()))
                        .orElseThrow();
        SocketChannel oldest = fullest.getValue().removeFirst();
        forget(fullest.getKey(), fullest.getValue());
        return oldest;
    }

    /**
     * Removes a connection that is authenticated or closed.
     *
     * @return false if it was evicted before
     */
    boolean remove(SocketChannel socket, InetAddress address) {
        lock.lock();
        try {
            Deque<SocketChannel> all = byAddress.get(address);
            if (all == null || !all.remove(socket)) {
                return false;
            }
            forget(address, all);
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void forget(InetAddress address, Deque<SocketChannel> remaining) {
        count--;
        if (remaining.isEmpty()) {
            byAddress.remove(address);
        }
    }
}
