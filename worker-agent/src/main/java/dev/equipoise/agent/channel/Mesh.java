package dev.equipoise.agent.channel;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

/** Connects one rank with all others: it calls the lower ranks and is called by the higher ones. */
final class Mesh {

    private static final Duration PAUSE_BETWEEN_ATTEMPTS = Duration.ofMillis(20);

    private final DataServer server;
    private final RunGroup group;
    private final List<InetSocketAddress> peers;
    private final Deadline deadline;

    Mesh(DataServer server, RunGroup group, List<InetSocketAddress> peers, Deadline deadline) {
        if (peers.size() != group.size()) {
            throw new IllegalArgumentException(
                    "a group of %d ranks needs as many addresses, but has %d"
                            .formatted(group.size(), peers.size()));
        }
        this.server = server;
        this.group = group;
        this.peers = peers;
        this.deadline = deadline;
    }

    /** The sockets by rank, all of them proven. */
    Map<Integer, Connection> assemble() {
        Map<Integer, Connection> sockets = new TreeMap<>();
        Arrivals arrivals = server.expect(group);
        try {
            for (int peer = 0; peer < group.rank(); peer++) {
                sockets.put(peer, call(peer));
            }
            sockets.putAll(arrivals.takeAll(deadline));
            return sockets;
        } catch (ChannelFailed e) {
            sockets.values().forEach(Sockets::closeQuietly);
            throw e;
        } catch (InterruptedException e) {
            sockets.values().forEach(Sockets::closeQuietly);
            Thread.currentThread().interrupt();
            throw new ChannelFailed(
                    ChannelFailed.Reason.CLOSED, group.describe() + ": interrupted", e);
        } finally {
            server.forget(arrivals);
        }
    }

    /** Peers come up at different times, so an attempt that fails is repeated. */
    private Connection call(int peer) throws InterruptedException {
        while (true) {
            try {
                return server.handshake().connect(peers.get(peer), group, peer, deadline);
            } catch (IOException e) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                if (deadline.hasPassed()) {
                    throw new ChannelFailed(
                            ChannelFailed.Reason.PEER_LOST,
                            "%s: rank %d at %s does not answer: %s"
                                    .formatted(
                                            group.describe(),
                                            peer,
                                            peers.get(peer),
                                            e.getMessage()),
                            e);
                }
                LockSupport.parkNanos(this, PAUSE_BETWEEN_ATTEMPTS.toNanos());
            }
        }
    }
}
