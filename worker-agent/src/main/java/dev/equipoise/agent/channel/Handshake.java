package dev.equipoise.agent.channel;

/*
 * The handshake by which two ranks of a run authenticate each other before the first frame:
 *
 *   acceptor  -> connector   nonceA (16)
 *   connector -> acceptor    claim (44) = run, generation, from, to, nonceC; then
 *                            HMAC-SHA256(key, 1 || nonceA || claim) (32)
 *   acceptor  -> connector   HMAC-SHA256(key, 2 || nonceA || claim) (32), its host (16)
 *   connector -> acceptor    the name of memory that both may share (16), or a reserved name: no
 *                            memory but the same host, or another host
 *   acceptor  -> connector   1 if it has opened that memory, else 0 (1)
 *
 * Each proof covers the other side's nonce, so none can be replayed, and the leading label keeps
 * either side from being fed its own proof. All lengths are fixed. Before the proof is verified,
 * the acceptor uses the claim only to look up the key.
 *
 * A reachability probe (AddressProbe) claims the reserved run and has no proof (32 zeros):
 *
 *   acceptor  -> connector   nonceA (16)
 *   connector -> acceptor    claim (44), zeros (32)
 *   acceptor  -> connector   Ed25519(key of its process, 6 || nonceA || claim) (64), and closes
 *
 * The service gives the public key of that process to the connector. An agent that predates these
 * probes finds no rank of the reserved run and closes.
 */

import dev.equipoise.protocol.ProbeKey;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Authenticates both sides of a new connection: each proves to the other one that it holds the run
 * key.
 */
final class Handshake {

    private static final Logger log = LoggerFactory.getLogger(Handshake.class);

    static final int NONCE_BYTES = 16;
    static final int CLAIM_BYTES = 16 + 3 * Integer.BYTES + NONCE_BYTES;
    static final int PROOF_BYTES = 32;

    /** Time limit of a handshake; a genuine peer answers within milliseconds. */
    static final Duration TIME_LIMIT = Duration.ofSeconds(5);

    private static final byte CONNECTOR = 1;
    private static final byte ACCEPTOR = 2;

    private static final UUID OTHER_HOST = new UUID(0, 0);
    private static final UUID NO_MEMORY = new UUID(0, 1);
    private static final int ID_BYTES = 16;

    /** Claimed by reachability probes; ids of runs are random. */
    private static final UUID NO_RUN = new UUID(0, 0);

    private final SecureRandom random;
    private final ProbeIdentity probeIdentity;
    private final Optional<Path> memoryFolder;

    /**
     * @param memoryFolder folder for memory that is shared with ranks on the same host; empty to
     *     share none
     */
    Handshake(SecureRandom random, Optional<Path> memoryFolder) {
        this.random = random;
        this.probeIdentity = new ProbeIdentity(random);
        this.memoryFolder = memoryFolder;
    }

    /** Returns the key by which a probe recognizes this end. */
    ProbeKey probeKey() {
        return probeIdentity.key();
    }

    /** Connects to the server of a peer and authenticates as the given rank. */
    Connection connect(
            InetSocketAddress address,
            RankIdentity identity,
            int peer,
            PendingRendezvous rendezvous)
            throws IOException {
        Deadline deadline = rendezvous.deadline().orSooner(TIME_LIMIT);
        SocketChannel socket = SocketChannel.open();
        try {
            rendezvous.await(socket);
            socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
            socket.socket().connect(address, deadline.remainingMillis());
            UUID host = answer(socket, identity, peer, deadline);
            boolean isLocal = host.equals(HostIdentity.local());
            return new Connection(socket, isLocal, offerMemory(socket, isLocal, deadline));
        } catch (IOException e) {
            Sockets.closeQuietly(socket);
            throw e;
        } finally {
            rendezvous.awaitNothing();
        }
    }

    /** Answers the challenge of the acceptor; returns the host of the peer. */
    private UUID answer(SocketChannel socket, RankIdentity identity, int peer, Deadline deadline)
            throws IOException {
        ByteBuffer challenge = Sockets.read(socket, NONCE_BYTES, deadline);
        ByteBuffer claim =
                new Claim(identity.run(), identity.generation(), identity.rank(), peer).encode();
        claim.put(nonce()).flip();
        byte[] proof = identity.key().sign(CONNECTOR, challenge, claim);
        Sockets.write(socket, claim.duplicate(), ByteBuffer.wrap(proof));
        ByteBuffer reply = Sockets.read(socket, PROOF_BYTES + ID_BYTES, deadline);
        requireProof(identity.key().sign(ACCEPTOR, challenge, claim), reply);
        return id(reply);
    }

    private @Nullable SharedMemory offerMemory(
            SocketChannel socket, boolean isLocal, Deadline deadline) throws IOException {
        UUID name = id(nonce());
        @Nullable SharedMemory memory = isLocal ? created(name) : null;
        boolean isShared = false;
        try {
            UUID reserved = isLocal ? NO_MEMORY : OTHER_HOST;
            Sockets.write(socket, encoded(memory == null ? reserved : name));
            isShared = Sockets.read(socket, 1, deadline).get() == 1 && memory != null;
            return isShared ? memory : null;
        } finally {
            if (memory != null) {
                memory.unlink();
                if (!isShared) {
                    memory.close();
                }
            }
        }
    }

    /** Creates shared memory; null if this host has no space left for it. */
    private @Nullable SharedMemory created(UUID name) {
        try {
            return memoryFolder.isPresent() ? SharedMemory.create(memoryFolder.get(), name) : null;
        } catch (IOException e) {
            log.warn(
                    "cannot create memory to share with a rank on this host, using the socket: {}",
                    e.toString());
            return null;
        }
    }

    private Connection takeMemory(SocketChannel socket, Deadline deadline) throws IOException {
        UUID name = id(Sockets.read(socket, ID_BYTES, deadline));
        boolean isLocal = !name.equals(OTHER_HOST);
        @Nullable SharedMemory memory = isLocal && !name.equals(NO_MEMORY) ? opened(name) : null;
        Sockets.write(socket, ByteBuffer.wrap(new byte[] {(byte) (memory == null ? 0 : 1)}));
        return new Connection(socket, isLocal, memory);
    }

    /** Opens the peer's shared memory; null if it belongs to another user or container. */
    private @Nullable SharedMemory opened(UUID name) {
        try {
            return memoryFolder.isPresent() ? SharedMemory.open(memoryFolder.get(), name) : null;
        } catch (IOException e) {
            log.info(
                    "cannot open the memory of a rank on this host, using the socket: {}",
                    e.toString());
            return null;
        }
    }

    /**
     * Challenges a new connection and verifies its proof, or answers it if it is a probe.
     *
     * @param keys finds the key of the rank to which a claim is addressed, if that rank waits here
     * @return the proven claim and the connection on which it was made; empty of a probe
     */
    Optional<Accepted> accept(SocketChannel socket, Function<Claim, Optional<RunKey>> keys)
            throws IOException {
        Deadline deadline = Deadline.in(TIME_LIMIT);
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        ByteBuffer challenge = nonce();
        Sockets.write(socket, challenge.duplicate());
        ByteBuffer answer = Sockets.read(socket, CLAIM_BYTES + PROOF_BYTES, deadline);
        ByteBuffer encoded = answer.slice(0, CLAIM_BYTES);
        Claim claim = Claim.decode(encoded);
        if (claim.run().equals(NO_RUN)) {
            Sockets.write(socket, ByteBuffer.wrap(probeIdentity.sign(challenge, encoded)));
            return Optional.empty();
        }
        RunKey key =
                keys.apply(claim)
                        .orElseThrow(() -> new IOException("no rank here awaits " + claim));
        requireProof(
                key.sign(CONNECTOR, challenge, encoded), answer.slice(CLAIM_BYTES, PROOF_BYTES));
        Sockets.write(
                socket,
                ByteBuffer.wrap(key.sign(ACCEPTOR, challenge, encoded)),
                encoded(HostIdentity.local()));
        return Optional.of(new Accepted(claim, takeMemory(socket, deadline)));
    }

    private static ByteBuffer encoded(UUID id) {
        return ByteBuffer.allocate(ID_BYTES)
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits())
                .flip();
    }

    private static UUID id(ByteBuffer encoded) {
        return new UUID(encoded.getLong(), encoded.getLong());
    }

    private ByteBuffer nonce() {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        return ByteBuffer.wrap(nonce);
    }

    private static void requireProof(byte[] expected, ByteBuffer actual) throws IOException {
        byte[] proof = new byte[PROOF_BYTES];
        actual.get(proof);
        if (!MessageDigest.isEqual(expected, proof)) {
            throw new IOException("the peer does not hold the key of the run");
        }
    }

    /** An authenticated peer and the connection to it. */
    record Accepted(Claim claim, Connection connection) {}

    /**
     * The identity that a connector claims ({@code from}) and the rank that it calls ({@code to}).
     */
    record Claim(UUID run, int generation, int from, int to) {

        /** Returns the encoded claim of a probe. */
        static ByteBuffer probe(byte[] nonce) {
            return new Claim(NO_RUN, 0, 0, 0).encode().put(nonce).flip();
        }

        /** Encodes the claim and leaves space for the nonce. */
        private ByteBuffer encode() {
            return ByteBuffer.allocate(CLAIM_BYTES)
                    .putLong(run.getMostSignificantBits())
                    .putLong(run.getLeastSignificantBits())
                    .putInt(generation)
                    .putInt(from)
                    .putInt(to);
        }

        private static Claim decode(ByteBuffer source) {
            return new Claim(
                    new UUID(source.getLong(0), source.getLong(8)),
                    source.getInt(16),
                    source.getInt(20),
                    source.getInt(24));
        }
    }
}
