package dev.equipoise.agent.channel;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Connects one rank with all others: the rank calls the lower ranks and accepts calls of the higher
 * ones.
 */
final class Mesh {

    private static final Duration RETRY_INTERVAL = Duration.ofMillis(20);

    private final DataServer server;
    private final RankIdentity identity;
    private final List<InetSocketAddress> peers;
    private final PendingRendezvous rendezvous;

    Mesh(
            DataServer server,
            RankIdentity identity,
            List<InetSocketAddress> peers,
            PendingRendezvous rendezvous) {
        if (peers.size() != identity.size()) {
            throw new IllegalArgumentException(
                    "a run of %d ranks needs as many addresses, but has %d"
                            .formatted(identity.size(), peers.size()));
        }
        this.server = server;
        this.identity = identity;
        this.peers = peers;
        this.rendezvous = rendezvous;
    }

    /** Returns the authenticated connections by rank. */
    Map<Integer, Connection> assemble() {
        Map<Integer, Connection> sockets = new TreeMap<>();
        IncomingConnections incoming = server.expect(identity);
        try {
            for (int peer = 0; peer < identity.rank(); peer++) {
                sockets.put(peer, call(peer));
            }
            rendezvous.await(incoming::close);
            sockets.putAll(incoming.takeAll(rendezvous.deadline()));
            return sockets;
        } catch (ChannelFailed e) {
            sockets.values().forEach(Sockets::closeQuietly);
            throw rendezvous.causeOr(e);
        } catch (InterruptedException e) {
            sockets.values().forEach(Sockets::closeQuietly);
            Thread.currentThread().interrupt();
            throw new ChannelFailed(
                    ChannelFailed.Reason.CLOSED, identity.describe() + ": interrupted", e);
        } finally {
            rendezvous.awaitNothing();
            server.forget(incoming);
        }
    }

    /**
     * Connects to a peer and retries until the rendezvous is over, since peers start at different
     * times.
     */
    private Connection call(int peer) throws InterruptedException {
        while (true) {
            try {
                return server.handshake().connect(peers.get(peer), identity, peer, rendezvous);
            } catch (IOException e) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                if (rendezvous.isOver()) {
                    throw new ChannelFailed(
                            ChannelFailed.Reason.PEER_LOST,
                            ("%s: rank %d at %s does not answer (%s); check that its agent runs"
                                            + " and that this address is reachable")
                                    .formatted(
                                            identity.describe(),
                                            peer,
                                            peers.get(peer),
                                            e.getMessage()),
                            e);
                }
                rendezvous.pause(RETRY_INTERVAL);
            }
        }
    }
}
