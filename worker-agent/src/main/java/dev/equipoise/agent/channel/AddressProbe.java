package dev.equipoise.agent.channel;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.channels.SocketChannel;
import java.util.Locale;
import java.util.Optional;

/**
 * Tries whether the data socket of another agent can be reached. A probe connects, reads the
 * challenge with which the acceptor begins each handshake, and closes the connection without having
 * sent a byte.
 */
public final class AddressProbe {

    private AddressProbe() {}

    /**
     * Returns why a rank could not connect to this address, such as {@code connection timed out};
     * empty if it could. Takes as long as a handshake may take at most.
     */
    public static Optional<String> failure(InetSocketAddress address) {
        if (address.isUnresolved()) {
            return Optional.of("the name has no address");
        }
        Deadline deadline = Deadline.in(Handshake.TIME_LIMIT);
        try (SocketChannel socket = SocketChannel.open()) {
            socket.socket().connect(address, deadline.remainingMillis());
            return silence(socket, deadline);
        } catch (SocketTimeoutException _) {
            return Optional.of("connection timed out");
        } catch (IOException e) {
            return Optional.of(String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT));
        }
    }

    /** Awaits the challenge: another program may listen at the port. */
    private static Optional<String> silence(SocketChannel socket, Deadline deadline)
            throws IOException {
        try {
            var _ = Sockets.read(socket, Handshake.NONCE_BYTES, deadline);
            return Optional.empty();
        } catch (SocketTimeoutException | EOFException _) {
            return Optional.of("connected, but no agent answers there");
        }
    }
}
