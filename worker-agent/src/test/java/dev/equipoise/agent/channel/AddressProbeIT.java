package dev.equipoise.agent.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.equipoise.protocol.ProbeKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.SecureRandom;
import org.junit.jupiter.api.Test;

class AddressProbeIT {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final String ANOTHER =
            "connected, but another worker or another program answers there";

    private final AddressProbe probe = new AddressProbe(RANDOM);

    private static DataServer server() {
        return DataServer.open("127.0.0.1", RANDOM);
    }

    @Test
    void workerProvesThatItAnswers() {
        try (DataServer server = server()) {
            for (int times = 0; times < 3; times++) {
                assertThat(probe.failure(server.address(), server.probeKey())).isEmpty();
            }

            assertThat(server.refusedConnections()).isZero();
        }
    }

    /** An agent of an earlier version has no key; one that asks for no proof is answered too. */
    @Test
    void anyAgentAnswersAProbeWithoutAKey() {
        try (DataServer server = server()) {
            assertThat(probe.failure(server.address(), null)).isEmpty();

            await().until(() -> server.refusedConnections() == 1);
        }
    }

    @Test
    void agentOfAnotherWorkerIsNotTakenForIt() {
        try (DataServer wanted = server();
                DataServer other = server()) {
            assertThat(probe.failure(other.address(), wanted.probeKey())).contains(ANOTHER);
        }
    }

    @Test
    void invalidKeyFailsTheProof() {
        try (DataServer server = server()) {
            assertThat(probe.failure(server.address(), ProbeKey.of(new byte[44])))
                    .contains(ANOTHER);
        }
    }

    @Test
    void closedPortRefusesTheConnection() {
        InetSocketAddress closed;
        ProbeKey key;
        try (DataServer server = server()) {
            closed = server.address();
            key = server.probeKey();
        }

        assertThat(probe.failure(closed, key)).contains("connection refused");
    }

    @Test
    void otherProgramIsNoAgent() throws IOException {
        try (DataServer server = server();
                var other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> answer(other, 0));

            assertThat(probe.failure(addressOf(other), server.probeKey()))
                    .contains("connected, but no agent answers there");
        }
    }

    /** A server of another protocol greets its clients, such as one of mail, or an echo. */
    @Test
    void programThatSendsAnyBytesIsNotTakenForTheWorker() throws IOException {
        for (int bytes : new int[] {16, 80, 500}) {
            try (DataServer server = server();
                    var other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                Thread.ofVirtual().start(() -> answer(other, bytes));

                assertThat(probe.failure(addressOf(other), server.probeKey()))
                        .as("%d bytes", bytes)
                        .contains(ANOTHER);
            }
        }
    }

    private static void answer(ServerSocket server, int bytes) {
        try (Socket socket = server.accept()) {
            socket.getOutputStream().write(new byte[bytes]);
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
                        probe.failure(
                                InetSocketAddress.createUnresolved("no-such-host.invalid", 9),
                                null))
                .contains("the name has no address");
    }
}
