package dev.equipoise.agent.channel;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Joins ranks by TCP sockets, one between any two, without a copy between memory and socket; ranks
 * of one machine share memory instead, where both may open it. The thread that exchanges moves
 * everything in one non-blocking loop, so frames of any size pass each other.
 */
public final class DirectChannel {

    /**
     * For how long to poll on an idle core before the thread sleeps: a wake-up costs a quarter of
     * it. A peer on the same core is let in at each look.
     */
    private static final Duration SPIN = Duration.ofNanos(200_000);

    /**
     * For how long to poll on a contended core where each rank of this machine can have a core of
     * its own: as long as a running peer needs for its part.
     */
    private static final Duration CONTENDED_SPIN = Duration.ofNanos(30_000);

    private DirectChannel() {}

    /**
     * Meets the other ranks of the group; returns when all sockets are up. Interrupting the thread
     * ends the attempt.
     *
     * @param peers the addresses of the data servers by rank, this rank's own included
     * @throws ChannelFailed when they are not all there in time
     */
    public static Channel connect(
            DataServer server, RunGroup group, List<InetSocketAddress> peers, Timeouts timeouts) {
        var mesh = new Mesh(server, group, peers, Deadline.in(timeouts.connect()));
        Map<Integer, Connection> connections = mesh.assemble();
        try {
            return over(connections, group, timeouts);
        } catch (IOException e) {
            connections.values().forEach(Sockets::closeQuietly);
            throw new ChannelFailed(
                    ChannelFailed.Reason.CLOSED, group.describe() + ": " + e.getMessage(), e);
        }
    }

    private static Channel over(
            Map<Integer, Connection> connections, RunGroup group, Timeouts timeouts)
            throws IOException {
        var sockets = new SocketSleeper();
        Map<Integer, Link> links = new TreeMap<>();
        try {
            for (var entry : connections.entrySet()) {
                links.put(entry.getKey(), link(group, entry.getKey(), entry.getValue(), sockets));
            }
        } catch (IOException e) {
            sockets.close();
            throw e;
        }
        long localPeers = connections.values().stream().filter(Connection::isLocal).count();
        int cores = Runtime.getRuntime().availableProcessors();
        var polling = new Polling(SPIN, contendedSpin(localPeers + 1, cores));
        return new Endpoint(
                group.rank(), group.size(), links, new Waiting(sockets, polling, timeouts.idle()));
    }

    /**
     * Zero where ranks share cores: a rank that polls keeps the core from the peer it waits for.
     */
    static Duration contendedSpin(long localRanks, int cores) {
        return localRanks <= cores ? CONTENDED_SPIN : Duration.ZERO;
    }

    private static Link link(RunGroup group, int peer, Connection connection, SocketSleeper sleeper)
            throws IOException {
        Pipe pipe = pipe(connection);
        var link = new FramedLink(group.rank(), peer, group.generation(), connection.cover(), pipe);
        if (pipe instanceof SharedMemoryPipe shared) {
            sleeper.watch(connection.socket(), shared, link);
        } else {
            sleeper.watch(connection.socket(), link);
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
