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
 * Who has connected and proven nothing yet: so many at a time. When one more comes, the one that
 * has taken longest makes room, of the address that has most of them; so whoever means it, and
 * answers within milliseconds, is not kept out by others who hold their places and say nothing. Any
 * thread may call.
 */
final class Strangers {

    private final int most;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<InetAddress, Deque<SocketChannel>> byAddress = new LinkedHashMap<>();
    private int count;

    Strangers(int most) {
        this.most = most;
    }

    /** Lets one more in; who must go for it. */
    Optional<SocketChannel> admit(SocketChannel socket, InetAddress address) {
        lock.lock();
        try {
            byAddress.computeIfAbsent(address, _ -> new ArrayDeque<>()).addLast(socket);
            count++;
            return count > most ? Optional.of(removeOldest()) : Optional.empty();
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
     * It has proven who it is, or has gone.
     *
     * @return false where it had to make room before
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

    private void forget(InetAddress address, Deque<SocketChannel> left) {
        count--;
        if (left.isEmpty()) {
            byAddress.remove(address);
        }
    }
}
