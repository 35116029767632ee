package dev.equipoise.agent.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.security.SecureRandom;
import org.junit.jupiter.api.Test;

class AddressProbeIT {

    @Test
    void dataSocketOfAnAgentIsReached() {
        try (DataServer server = DataServer.open("127.0.0.1", new SecureRandom())) {
            assertThat(AddressProbe.failure(server.address())).isEmpty();

            await().until(() -> server.refusedConnections() == 1);
        }
    }

    @Test
    void closedPortRefusesTheConnection() {
        InetSocketAddress closed;
        try (DataServer server = DataServer.open("127.0.0.1", new SecureRandom())) {
            closed = server.address();
        }

        assertThat(AddressProbe.failure(closed)).contains("connection refused");
    }

    @Test
    void otherProgramIsNoAgent() throws IOException {
        try (var other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> acceptAndClose(other));

            assertThat(AddressProbe.failure(addressOf(other)))
                    .contains("connected, but no agent answers there");
        }
    }

    private static void acceptAndClose(ServerSocket server) {
        try {
            server.accept().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static InetSocketAddress addressOf(ServerSocket server) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getLocalPort());
    }

    @Test
    void unknownNameHasNoAddress() {
        assertThat(
                        AddressProbe.failure(
                                InetSocketAddress.createUnresolved("no-such-host.invalid", 9)))
                .contains("the name has no address");
    }
}
