package dev.equipoise.agent.channel;

/*
 * How two ranks of a run recognise each other before the first frame:
 *
 *   acceptor  -> connector   nonceA (16)
 *   connector -> acceptor    claim (44) = run, generation, from, to, nonceC; then
 *                            HMAC-SHA256(key, 1 || nonceA || claim) (32)
 *   acceptor  -> connector   HMAC-SHA256(key, 2 || nonceA || claim) (32), its machine (16)
 *   connector -> acceptor    the name of memory that both may share (16), or one that says that
 *                            there is none, on this machine or on another one
 *   acceptor  -> connector   1 if it has opened that memory, else 0 (1)
 *
 * Each proof covers the other side's nonce, so none can be replayed, and the leading label keeps
 * either side from being fed its own proof. All lengths are fixed and no byte of the answer is
 * trusted before the proof holds, but for looking up which key it must hold under.
 */

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

/** Proves to each side of a new connection that the other one holds the key of the run. */
final class Handshake {

    private static final Logger log = LoggerFactory.getLogger(Handshake.class);

    static final int NONCE_BYTES = 16;
    static final int CLAIM_BYTES = 16 + 3 * Integer.BYTES + NONCE_BYTES;
    static final int PROOF_BYTES = 32;

    /** A peer that means it answers within milliseconds. */
    static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final byte CONNECTOR = 1;
    private static final byte ACCEPTOR = 2;

    private static final UUID ELSEWHERE = new UUID(0, 0);
    private static final UUID NO_MEMORY = new UUID(0, 1);
    private static final int ID_BYTES = 16;

    private final SecureRandom random;
    private final Optional<Path> memories;

    /**
     * @param memories the folder for memory that is shared with ranks on the same machine; empty to
     *     share none
     */
    Handshake(SecureRandom random, Optional<Path> memories) {
        this.random = random;
        this.memories = memories;
    }

    /** Connects to a peer's server as the given rank and proves it. */
    Connection connect(InetSocketAddress address, RunGroup group, int peer, Deadline deadline)
            throws IOException {
        Deadline sooner = deadline.orSooner(PATIENCE);
        SocketChannel socket = SocketChannel.open();
        try {
            socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
            socket.socket().connect(address, sooner.remainingMillis());
            UUID machine = answer(socket, group, peer, sooner);
            boolean isLocal = machine.equals(HostIdentity.local());
            return new Connection(socket, isLocal, offerMemory(socket, isLocal, sooner));
        } catch (IOException e) {
            Sockets.closeQuietly(socket);
            throw e;
        }
    }

    /** Returns the peer's machine. */
    private UUID answer(SocketChannel socket, RunGroup group, int peer, Deadline deadline)
            throws IOException {
        ByteBuffer challenge = Sockets.read(socket, NONCE_BYTES, deadline);
        ByteBuffer claim = new Claim(group.run(), group.generation(), group.rank(), peer).encode();
        claim.put(nonce()).flip();
        byte[] proof = group.key().sign(CONNECTOR, challenge, claim);
        Sockets.write(socket, claim.duplicate(), ByteBuffer.wrap(proof));
        ByteBuffer reply = Sockets.read(socket, PROOF_BYTES + ID_BYTES, deadline);
        requireProof(group.key().sign(ACCEPTOR, challenge, claim), reply);
        return id(reply);
    }

    private @Nullable SharedMemory offerMemory(
            SocketChannel socket, boolean isLocal, Deadline deadline) throws IOException {
        UUID name = id(nonce());
        @Nullable SharedMemory memory = isLocal ? created(name) : null;
        boolean isShared = false;
        try {
            UUID none = isLocal ? NO_MEMORY : ELSEWHERE;
            Sockets.write(socket, encoded(memory == null ? none : name));
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

    /** None where this machine has no room for more. */
    private @Nullable SharedMemory created(UUID name) {
        try {
            return memories.isPresent() ? SharedMemory.create(memories.get(), name) : null;
        } catch (IOException e) {
            log.warn("no memory is shared with a rank of this machine: {}", e.toString());
            return null;
        }
    }

    private Connection takeMemory(SocketChannel socket, Deadline deadline) throws IOException {
        UUID name = id(Sockets.read(socket, ID_BYTES, deadline));
        boolean isLocal = !name.equals(ELSEWHERE);
        @Nullable SharedMemory memory = isLocal && !name.equals(NO_MEMORY) ? opened(name) : null;
        Sockets.write(socket, ByteBuffer.wrap(new byte[] {(byte) (memory == null ? 0 : 1)}));
        return new Connection(socket, isLocal, memory);
    }

    /** Another user's, or one that another container holds, stays closed. */
    private @Nullable SharedMemory opened(UUID name) {
        try {
            return memories.isPresent() ? SharedMemory.open(memories.get(), name) : null;
        } catch (IOException e) {
            log.info("no memory is shared with a rank of this machine: {}", e.toString());
            return null;
        }
    }

    /**
     * Challenges whoever has connected.
     *
     * @param keys the key of the rank that a claim is addressed to, if that rank waits here
     * @return what the claim, which is now proven, was made over
     */
    Accepted accept(SocketChannel socket, Function<Claim, Optional<RunKey>> keys)
            throws IOException {
        Deadline deadline = Deadline.in(PATIENCE);
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        ByteBuffer challenge = nonce();
        Sockets.write(socket, challenge.duplicate());
        ByteBuffer answer = Sockets.read(socket, CLAIM_BYTES + PROOF_BYTES, deadline);
        ByteBuffer encoded = answer.slice(0, CLAIM_BYTES);
        Claim claim = Claim.decode(encoded);
        RunKey key =
                keys.apply(claim).orElseThrow(() -> new IOException(claim + " is not awaited"));
        requireProof(
                key.sign(CONNECTOR, challenge, encoded), answer.slice(CLAIM_BYTES, PROOF_BYTES));
        Sockets.write(
                socket,
                ByteBuffer.wrap(key.sign(ACCEPTOR, challenge, encoded)),
                encoded(HostIdentity.local()));
        return new Accepted(claim, takeMemory(socket, deadline));
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

    /** Who has come, and how to reach it. */
    record Accepted(Claim claim, Connection connection) {}

    /** Who a connector says it is and whom it wants. */
    record Claim(UUID run, int generation, int from, int to) {

        /** Leaves room for the nonce. */
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
