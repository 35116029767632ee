package dev.equipoise.agent.channel;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one data socket of an agent: accepts the connections of all its runs and hands each to the
 * rank that waits for it. Whoever cannot prove that it belongs to such a run is sent away;
 * strangers get {@value #MAX_HANDSHAKES} handshakes at a time and five seconds each at most, and
 * see nothing but a random number.
 */
public final class DataServer implements AutoCloseable {

    static final int MAX_HANDSHAKES = 64;

    private static final Logger log = LoggerFactory.getLogger(DataServer.class);
    private static final int BACKLOG = 128;
    private static final Duration PATIENCE_WITH_ACCEPTOR = Duration.ofSeconds(5);
    private static final Duration PAUSE_AFTER_ERROR = Duration.ofMillis(100);

    private final ServerSocketChannel server;
    private final InetSocketAddress address;
    private final Handshake handshake;
    private final Map<Place, Arrivals> awaited = new ConcurrentHashMap<>();
    private final Strangers strangers = new Strangers(MAX_HANDSHAKES);
    private final AtomicLong refused = new AtomicLong();
    private final Thread acceptor;

    private DataServer(ServerSocketChannel server, Handshake handshake) throws IOException {
        this.server = server;
        this.address = (InetSocketAddress) server.getLocalAddress();
        this.handshake = handshake;
        this.acceptor = Thread.ofVirtual().name("data-server").unstarted(this::acceptAll);
    }

    /** Listens on a free port of the host's address; ranks of one machine share memory. */
    public static DataServer open(String host, SecureRandom random) {
        return open(host, 0, random);
    }

    /**
     * As {@link #open(String, SecureRandom)}, but on one port.
     *
     * @param port 0 for a free one
     * @throws UncheckedIOException where it cannot be had
     */
    public static DataServer open(String host, int port, SecureRandom random) {
        return open(host, port, new Handshake(random, SharedMemory.folder()));
    }

    /** As {@link #open}, but no memory is shared: all bytes go through sockets. */
    public static DataServer openForSocketsOnly(String host, SecureRandom random) {
        return open(host, 0, new Handshake(random, Optional.empty()));
    }

    static DataServer open(String host, Handshake handshake) {
        return open(host, 0, handshake);
    }

    private static DataServer open(String host, int port, Handshake handshake) {
        try {
            ServerSocketChannel socket = ServerSocketChannel.open();
            socket.bind(new InetSocketAddress(host, port), BACKLOG);
            var server = new DataServer(socket, handshake);
            server.acceptor.start();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException("no data socket on %s:%d".formatted(host, port), e);
        }
    }

    /** What the peers connect to. */
    public InetSocketAddress address() {
        return address;
    }

    /** The connections that were closed because they proved nothing. */
    public long refusedConnections() {
        return refused.get();
    }

    /**
     * Ends the server and every wait for peers; channels that are connected go on. The port is free
     * when this returns: a socket that a thread waits at is let go by that thread.
     */
    @Override
    public void close() {
        Sockets.closeQuietly(server);
        awaited.values().forEach(Arrivals::close);
        try {
            acceptor.join(PATIENCE_WITH_ACCEPTOR);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    Handshake handshake() {
        return handshake;
    }

    /** From now on the ranks above this one may connect. */
    Arrivals expect(RunGroup group) {
        var arrivals = new Arrivals(group);
        if (awaited.putIfAbsent(Place.of(group), arrivals) != null) {
            throw new IllegalStateException(group.describe() + " waits for its peers already");
        }
        return arrivals;
    }

    void forget(Arrivals arrivals) {
        awaited.remove(Place.of(arrivals.group()), arrivals);
        arrivals.close();
    }

    private void acceptAll() {
        while (server.isOpen()) {
            try {
                admit(server.accept());
            } catch (ClosedChannelException _) {
                return;
            } catch (IOException e) {
                log.warn("data-socket-error address={}", address, e);
                // Out of file descriptors, most likely: trying at once would only burn a core.
                LockSupport.parkNanos(this, PAUSE_AFTER_ERROR.toNanos());
            }
        }
    }

    private void admit(SocketChannel socket) {
        InetAddress address = socket.socket().getInetAddress();
        // Whose thread sees that it is closed, and counts it.
        strangers.admit(socket, address).ifPresent(Sockets::closeQuietly);
        Thread.ofVirtual().name("data-handshake").start(() -> greet(socket, address));
    }

    private void greet(SocketChannel socket, InetAddress address) {
        try {
            Handshake.Accepted accepted = prove(socket, address);
            Handshake.Claim claim = accepted.claim();
            // Between its proof and here the rank may have given up.
            Optional.ofNullable(awaited.get(Place.of(claim)))
                    .ifPresentOrElse(
                            arrivals -> arrivals.add(claim.from(), accepted.connection()),
                            () -> Sockets.closeQuietly(accepted.connection()));
        } catch (IOException e) {
            refuse(socket, address, String.valueOf(e.getMessage()));
        }
    }

    private Handshake.Accepted prove(SocketChannel socket, InetAddress address) throws IOException {
        boolean isThere = false;
        try {
            Handshake.Accepted accepted = handshake.accept(socket, this::keyFor);
            isThere = strangers.remove(socket, address);
            if (!isThere) {
                accepted.connection().close();
                throw new IOException("it has made room for others");
            }
            return accepted;
        } finally {
            if (!isThere) {
                boolean _ = strangers.remove(socket, address);
            }
        }
    }

    private Optional<RunKey> keyFor(Handshake.Claim claim) {
        return Optional.ofNullable(awaited.get(Place.of(claim)))
                .filter(arrivals -> arrivals.awaits(claim.from()))
                .map(arrivals -> arrivals.group().key());
    }

    private void refuse(SocketChannel socket, InetAddress address, String reason) {
        refused.incrementAndGet();
        log.debug("connection-refused peer={} reason={}", address, reason);
        Sockets.closeQuietly(socket);
    }

    /** Where a connection may go: one agent can host several ranks of a run. */
    private record Place(UUID run, int generation, int rank) {

        static Place of(RunGroup group) {
            return new Place(group.run(), group.generation(), group.rank());
        }

        static Place of(Handshake.Claim claim) {
            return new Place(claim.run(), claim.generation(), claim.to());
        }
    }
}
