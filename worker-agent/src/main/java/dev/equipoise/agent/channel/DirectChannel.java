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
     * For how long to poll before the thread sleeps in the selector: a wake-up costs about as much.
     */
    private static final Duration SPIN = Duration.ofNanos(30_000);

    /** Nobody wakes a rank that sleeps here: it finds what has come only when it looks again. */
    private static final Duration SPIN_ON_MEMORY = Duration.ofNanos(200_000);

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
        var sleeper = new SocketSleeper();
        Map<Integer, Link> links = new TreeMap<>();
        try {
            for (var entry : connections.entrySet()) {
                links.put(entry.getKey(), link(group, entry.getKey(), entry.getValue(), sleeper));
            }
        } catch (IOException e) {
            sleeper.close();
            throw e;
        }
        boolean sharesMemory = connections.values().stream().anyMatch(it -> it.memory() != null);
        var waiting =
                sharesMemory
                        ? new Waiting(new Naps(sleeper), SPIN_ON_MEMORY, timeouts.idle())
                        : new Waiting(sleeper, SPIN, timeouts.idle());
        return new Endpoint(group.rank(), group.size(), links, waiting);
    }

    private static Link link(RunGroup group, int peer, Connection connection, SocketSleeper sleeper)
            throws IOException {
        Pipe pipe = pipe(connection);
        var link = new FramedLink(group.rank(), peer, group.generation(), connection.cover(), pipe);
        if (connection.memory() == null) {
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
