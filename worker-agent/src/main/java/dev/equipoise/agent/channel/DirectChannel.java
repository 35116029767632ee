package dev.equipoise.agent.channel;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Connects ranks by TCP sockets, one between any two, without a copy between memory and socket.
 * Ranks on one host share memory instead, if both may open it. The exchanging thread moves
 * everything in one non-blocking loop, so that frames of any size pass each other.
 */
public final class DirectChannel {

    /**
     * Polling time on an idle core, before the thread sleeps: a wake-up costs a quarter of it. Each
     * poll yields to a peer on the same core.
     */
    private static final Duration SPIN = Duration.ofNanos(200_000);

    /**
     * Polling time on a contended core if each rank on this host can have a core of its own: as
     * long as a running peer needs for its part.
     */
    private static final Duration CONTENDED_SPIN = Duration.ofNanos(30_000);

    private DirectChannel() {}

    /**
     * Connects to all other ranks of the run; returns when all connections are up. Interrupting the
     * thread ends the attempt.
     *
     * @param peers the addresses of the data servers by rank, this rank's own included
     * @throws ChannelFailed when a rank does not connect in time
     */
    public static Channel connect(
            DataServer server,
            RankIdentity identity,
            List<InetSocketAddress> peers,
            Timeouts timeouts) {
        return connect(
                server, identity, peers, timeouts, PendingRendezvous.within(timeouts.connect()));
    }

    /**
     * Connects like {@link #connect(DataServer, RankIdentity, List, Timeouts)}, until the deadline
     * of a rendezvous that is under way.
     *
     * @throws ChannelFailed also when the rendezvous loses a rank
     */
    public static Channel connect(
            DataServer server,
            RankIdentity identity,
            List<InetSocketAddress> peers,
            Timeouts timeouts,
            PendingRendezvous rendezvous) {
        var mesh = new Mesh(server, identity, peers, rendezvous);
        Map<Integer, Connection> connections = mesh.assemble();
        try {
            return over(connections, identity, timeouts);
        } catch (IOException e) {
            connections.values().forEach(Sockets::closeQuietly);
            throw new ChannelFailed(
                    ChannelFailed.Reason.CLOSED, identity.describe() + ": " + e.getMessage(), e);
        }
    }

    private static Channel over(
            Map<Integer, Connection> connections, RankIdentity identity, Timeouts timeouts)
            throws IOException {
        var idleStrategy = new SelectorIdleStrategy();
        Map<Integer, Link> links = new TreeMap<>();
        try {
            for (var entry : connections.entrySet()) {
                links.put(
                        entry.getKey(),
                        link(identity, entry.getKey(), entry.getValue(), idleStrategy));
            }
        } catch (IOException e) {
            idleStrategy.close();
            throw e;
        }
        long localPeers = connections.values().stream().filter(Connection::isLocal).count();
        int cores = Runtime.getRuntime().availableProcessors();
        var spinPolicy = new SpinPolicy(SPIN, contendedSpin(localPeers + 1, cores));
        return new Endpoint(
                identity.rank(),
                identity.size(),
                links,
                new IdleLoop(idleStrategy, spinPolicy, timeouts.idle()));
    }

    /**
     * Returns the polling time on a contended core. It is zero if ranks share cores: a rank that
     * polls keeps the core from the peer that it waits for.
     */
    static Duration contendedSpin(long localRanks, int cores) {
        return localRanks <= cores ? CONTENDED_SPIN : Duration.ZERO;
    }

    private static Link link(
            RankIdentity identity,
            int peer,
            Connection connection,
            SelectorIdleStrategy idleStrategy)
            throws IOException {
        Pipe pipe = pipe(connection);
        var link =
                new FramedLink(
                        identity.rank(), peer, identity.generation(), connection.cover(), pipe);
        if (pipe instanceof SharedMemoryPipe shared) {
            idleStrategy.watch(connection.socket(), shared, link);
        } else {
            idleStrategy.watch(connection.socket(), link);
        }
        return link;
    }

    private static Pipe pipe(Connection connection) throws IOException {
        SharedMemory memory = connection.memory();
        if (memory != null) {
            return new SharedMemoryPipe(connection.socket(), memory);
        }
        return connection.isLocal()
                ? SocketPipe.within(connection.socket())
                : new SocketPipe(connection.socket());
    }
}
