package dev.equipoise.agent.channel;

/*
 * How two ranks of a run recognise each other before the first frame:
 *
 *   acceptor  -> connector   nonceA (16)
 *   connector -> acceptor    claim (44) = run, generation, from, to, nonceC; then
 *                            HMAC-SHA256(key, 1 || nonceA || claim) (32)
 *   acceptor  -> connector   HMAC-SHA256(key, 2 || nonceA || claim) (32)
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
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/** Proves to each side of a new connection that the other one holds the key of the run. */
final class Handshake {

    static final int NONCE_BYTES = 16;
    static final int CLAIM_BYTES = 16 + 3 * Integer.BYTES + NONCE_BYTES;
    static final int PROOF_BYTES = 32;

    /** A peer that means it answers within milliseconds. */
    static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final byte CONNECTOR = 1;
    private static final byte ACCEPTOR = 2;

    private final SecureRandom random;

    Handshake(SecureRandom random) {
        this.random = random;
    }

    /** Connects to a peer's server as the given rank and proves it. */
    SocketChannel connect(InetSocketAddress address, RunGroup group, int peer, Deadline deadline)
            throws IOException {
        Deadline sooner = deadline.orSooner(PATIENCE);
        SocketChannel socket = SocketChannel.open();
        try {
            socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
            socket.socket().connect(address, sooner.remainingMillis());
            answer(socket, group, peer, sooner);
            return socket;
        } catch (IOException e) {
            Sockets.closeQuietly(socket);
            throw e;
        }
    }

    private void answer(SocketChannel socket, RunGroup group, int peer, Deadline deadline)
            throws IOException {
        ByteBuffer challenge = Sockets.read(socket, NONCE_BYTES, deadline);
        ByteBuffer claim = new Claim(group.run(), group.generation(), group.rank(), peer).encode();
        claim.put(nonce()).flip();
        byte[] proof = group.key().sign(CONNECTOR, challenge, claim);
        Sockets.write(socket, claim.duplicate(), ByteBuffer.wrap(proof));
        requireProof(
                group.key().sign(ACCEPTOR, challenge, claim),
                Sockets.read(socket, PROOF_BYTES, deadline));
    }

    /**
     * Challenges whoever has connected.
     *
     * @param keys the key of the rank that a claim is addressed to, if that rank waits here
     * @return the claim, which is now proven
     */
    Claim accept(SocketChannel socket, Function<Claim, Optional<RunKey>> keys) throws IOException {
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
        Sockets.write(socket, ByteBuffer.wrap(key.sign(ACCEPTOR, challenge, encoded)));
        return claim;
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
