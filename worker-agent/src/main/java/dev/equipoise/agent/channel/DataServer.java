package dev.equipoise.agent.channel;

import dev.equipoise.protocol.ProbeKey;
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
 * The data socket of an agent: accepts the connections of all its runs and hands each to the rank
 * that waits for it. A connection that cannot prove that it belongs to such a run is closed. At
 * most {@value #MAX_HANDSHAKES} handshakes are under way at a time, each for at most five seconds,
 * and an unauthenticated peer learns nothing but a random number and, if it asks, a signature by
 * which a reachability probe recognizes this process.
 */
public final class DataServer implements AutoCloseable {

    static final int MAX_HANDSHAKES = 64;

    private static final Logger log = LoggerFactory.getLogger(DataServer.class);
    private static final int BACKLOG = 128;
    private static final Duration ACCEPTOR_JOIN_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration PAUSE_AFTER_ERROR = Duration.ofMillis(100);

    private final ServerSocketChannel server;
    private final InetSocketAddress address;
    private final Handshake handshake;
    private final Map<RankKey, IncomingConnections> awaited = new ConcurrentHashMap<>();
    private final UnauthenticatedConnections unauthenticated =
            new UnauthenticatedConnections(MAX_HANDSHAKES);
    private final AtomicLong refused = new AtomicLong();
    private final Thread acceptor;

    private DataServer(ServerSocketChannel server, Handshake handshake) throws IOException {
        this.server = server;
        this.address = (InetSocketAddress) server.getLocalAddress();
        this.handshake = handshake;
        this.acceptor = Thread.ofVirtual().name("data-server").unstarted(this::acceptAll);
    }

    /** Listens on a free port of the host's address; ranks on one host share memory. */
    public static DataServer open(String host, SecureRandom random) {
        return open(host, 0, random);
    }

    /**
     * Listens on a given port; otherwise like {@link #open(String, SecureRandom)}.
     *
     * @param port 0 for a free one
     * @throws UncheckedIOException when the port cannot be bound
     */
    public static DataServer open(String host, int port, SecureRandom random) {
        return open(host, port, new Handshake(random, SharedMemory.folder()));
    }

    /** Listens like {@link #open}, but shares no memory: all bytes go through sockets. */
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
            throw new UncheckedIOException(
                    ("cannot open the data socket on %s:%d; check that the address is local and the"
                                    + " port is free")
                            .formatted(host, port),
                    e);
        }
    }

    /** The address to which peers connect. */
    public InetSocketAddress address() {
        return address;
    }

    /** The key by which reachability probes of other agents recognize this process. */
    public ProbeKey probeKey() {
        return handshake.probeKey();
    }

    /** Number of connections closed because they failed to authenticate. */
    public long refusedConnections() {
        return refused.get();
    }

    /**
     * Stops the server and ends every wait for peers; established channels go on. The port is free
     * when this method returns: it joins the acceptor thread, which releases the socket that it
     * blocks on.
     */
    @Override
    public void close() {
        Sockets.closeQuietly(server);
        awaited.values().forEach(IncomingConnections::close);
        try {
            acceptor.join(ACCEPTOR_JOIN_TIMEOUT);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    Handshake handshake() {
        return handshake;
    }

    /** Registers a rank; from now on the higher ranks of its run may connect to it. */
    IncomingConnections expect(RankIdentity identity) {
        var incoming = new IncomingConnections(identity);
        if (awaited.putIfAbsent(RankKey.of(identity), incoming) != null) {
            throw new IllegalStateException(
                    identity.describe()
                            + " is registered already: another assignment of this agent runs it");
        }
        return incoming;
    }

    void forget(IncomingConnections incoming) {
        awaited.remove(RankKey.of(incoming.identity()), incoming);
        incoming.close();
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
        // The handshake thread of the evicted connection sees the close and counts it.
        unauthenticated.admit(socket, address).ifPresent(Sockets::closeQuietly);
        Thread.ofVirtual().name("data-handshake").start(() -> authenticateAndAdd(socket, address));
    }

    private void authenticateAndAdd(SocketChannel socket, InetAddress address) {
        try {
            // A probe has got its answer.
            authenticate(socket, address)
                    .ifPresentOrElse(this::add, () -> Sockets.closeQuietly(socket));
        } catch (IOException e) {
            refuse(socket, address, String.valueOf(e.getMessage()));
        }
    }

    private void add(Handshake.Accepted accepted) {
        Handshake.Claim claim = accepted.claim();
        // The awaiting rank may have given up since the proof was verified.
        Optional.ofNullable(awaited.get(RankKey.of(claim)))
                .ifPresentOrElse(
                        incoming -> incoming.add(claim.from(), accepted.connection()),
                        () -> Sockets.closeQuietly(accepted.connection()));
    }

    /** Returns empty if a probe has got its answer. */
    private Optional<Handshake.Accepted> authenticate(SocketChannel socket, InetAddress address)
            throws IOException {
        boolean isAdmitted = false;
        try {
            Optional<Handshake.Accepted> accepted = handshake.accept(socket, this::keyFor);
            isAdmitted = unauthenticated.remove(socket, address);
            if (!isAdmitted) {
                accepted.ifPresent(it -> Sockets.closeQuietly(it.connection()));
                throw new IOException(
                        "evicted: more than " + MAX_HANDSHAKES + " handshakes at a time");
            }
            return accepted;
        } finally {
            if (!isAdmitted) {
                boolean _ = unauthenticated.remove(socket, address);
            }
        }
    }

    private Optional<RunKey> keyFor(Handshake.Claim claim) {
        return Optional.ofNullable(awaited.get(RankKey.of(claim)))
                .filter(incoming -> incoming.awaits(claim.from()))
                .map(incoming -> incoming.identity().key());
    }

    private void refuse(SocketChannel socket, InetAddress address, String reason) {
        refused.incrementAndGet();
        log.debug("connection-refused peer={} reason={}", address, reason);
        Sockets.closeQuietly(socket);
    }

    /** The rank to which a connection belongs; one agent can host several ranks of a run. */
    private record RankKey(UUID run, int generation, int rank) {

        static RankKey of(RankIdentity identity) {
            return new RankKey(identity.run(), identity.generation(), identity.rank());
        }

        static RankKey of(Handshake.Claim claim) {
            return new RankKey(claim.run(), claim.generation(), claim.to());
        }
    }
}
