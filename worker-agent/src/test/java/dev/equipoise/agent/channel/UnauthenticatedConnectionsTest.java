package dev.equipoise.agent.channel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class UnauthenticatedConnectionsTest {

    private static final InetAddress FIRST_ADDRESS = InetAddress.ofLiteral("192.0.2.1");
    private static final InetAddress SECOND_ADDRESS = InetAddress.ofLiteral("192.0.2.2");
    private static final InetAddress THIRD_ADDRESS = InetAddress.ofLiteral("192.0.2.3");

    private final UnauthenticatedConnections connections = new UnauthenticatedConnections(3);
    private final List<SocketChannel> sockets = new ArrayList<>();

    @AfterEach
    void close() throws IOException {
        for (SocketChannel socket : sockets) {
            socket.close();
        }
    }

    private SocketChannel socket() throws IOException {
        SocketChannel socket = SocketChannel.open();
        sockets.add(socket);
        return socket;
    }

    private SocketChannel admit(InetAddress address) throws IOException {
        SocketChannel socket = socket();
        assertThat(connections.admit(socket, address)).isEmpty();
        return socket;
    }

    @Test
    void admitsConnectionsUpToTheLimit() throws IOException {
        admit(FIRST_ADDRESS);
        admit(FIRST_ADDRESS);
        SocketChannel third = admit(SECOND_ADDRESS);

        assertThat(connections.remove(third, SECOND_ADDRESS)).isTrue();
        admit(FIRST_ADDRESS);
    }

    @Test
    void evictsTheOldestOfTheAddressWithMostConnections() throws IOException {
        admit(SECOND_ADDRESS);
        SocketChannel first = admit(FIRST_ADDRESS);
        SocketChannel second = admit(FIRST_ADDRESS);

        assertThat(connections.admit(socket(), THIRD_ADDRESS)).contains(first);
        assertThat(connections.remove(first, FIRST_ADDRESS)).as("evicted before").isFalse();
        assertThat(connections.remove(second, FIRST_ADDRESS)).isTrue();
    }

    @Test
    void evictsTheFirstIfAllAddressesHaveEquallyMany() throws IOException {
        SocketChannel first = admit(SECOND_ADDRESS);
        admit(FIRST_ADDRESS);
        admit(THIRD_ADDRESS);

        assertThat(connections.admit(socket(), InetAddress.ofLiteral("192.0.2.4"))).contains(first);
    }

    @Test
    void removesOnlyKnownConnections() throws IOException {
        SocketChannel socket = admit(FIRST_ADDRESS);

        assertThat(connections.remove(socket, SECOND_ADDRESS)).isFalse();
        assertThat(connections.remove(socket, FIRST_ADDRESS)).isTrue();
        assertThat(connections.remove(socket, FIRST_ADDRESS)).isFalse();
    }
}
