package dev.equipoise.agent.channel;

import dev.equipoise.protocol.ProbeKey;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.security.SecureRandom;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tries whether a worker answers at its data address. A probe connects, reads the challenge with
 * which the acceptor begins each handshake, and lets the acceptor sign a challenge of its own.
 * Thread-safe.
 */
public final class AddressProbe {

    private static final String NO_AGENT = "connected, but no agent answers there";
    private static final String ANOTHER =
            "connected, but another worker or another program answers there";

    private final SecureRandom random;

    public AddressProbe(SecureRandom random) {
        this.random = random;
    }

    /**
     * Returns why a rank could not connect to a worker at this address, such as {@code connection
     * timed out}; empty if it could. Takes as long as a handshake may take at most.
     *
     * @param key of the worker; null if its agent has none: then any agent may answer, and nothing
     *     is sent
     */
    public Optional<String> failure(InetSocketAddress address, @Nullable ProbeKey key) {
        if (address.isUnresolved()) {
            return Optional.of("the name has no address");
        }
        Deadline deadline = Deadline.in(Handshake.TIME_LIMIT);
        try (SocketChannel socket = SocketChannel.open()) {
            socket.socket().connect(address, deadline.remainingMillis());
            return failure(socket, key, deadline);
        } catch (SocketTimeoutException _) {
            return Optional.of("connection timed out");
        } catch (IOException e) {
            return Optional.of(String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT));
        }
    }

    /** Awaits the answers: another program may listen at the port. */
    private Optional<String> failure(
            SocketChannel socket, @Nullable ProbeKey key, Deadline deadline) throws IOException {
        ByteBuffer challenge;
        try {
            challenge = Sockets.read(socket, Handshake.NONCE_BYTES, deadline);
        } catch (SocketTimeoutException | EOFException _) {
            return Optional.of(NO_AGENT);
        }
        return key == null || isProven(socket, key, challenge, deadline)
                ? Optional.empty()
                : Optional.of(ANOTHER);
    }

    /** Returns whether the acceptor signs; a program that is no agent may end the connection. */
    private boolean isProven(
            SocketChannel socket, ProbeKey key, ByteBuffer challenge, Deadline deadline) {
        byte[] nonce = new byte[Handshake.NONCE_BYTES];
        random.nextBytes(nonce);
        ByteBuffer claim = Handshake.Claim.probe(nonce);
        try {
            Sockets.write(socket, claim.duplicate(), ByteBuffer.allocate(Handshake.PROOF_BYTES));
            byte[] signed = Sockets.read(socket, ProbeIdentity.SIGNATURE_BYTES, deadline).array();
            return ProbeIdentity.isSigned(key, signed, challenge, claim);
        } catch (IOException _) {
            return false;
        }
    }
}
