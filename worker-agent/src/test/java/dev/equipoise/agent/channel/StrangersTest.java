package dev.equipoise.agent.channel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StrangersTest {

    private static final InetAddress ONE = InetAddress.ofLiteral("192.0.2.1");
    private static final InetAddress OTHER = InetAddress.ofLiteral("192.0.2.2");
    private static final InetAddress THIRD = InetAddress.ofLiteral("192.0.2.3");

    private final Strangers strangers = new Strangers(3);
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
        assertThat(strangers.admit(socket, address)).isEmpty();
        return socket;
    }

    @Test
    void asManyAsThereIsRoomForComeIn() throws IOException {
        admit(ONE);
        admit(ONE);
        SocketChannel third = admit(OTHER);

        assertThat(strangers.remove(third, OTHER)).isTrue();
        admit(ONE);
    }

    @Test
    void theOldestOfTheAddressThatHasMostMakesRoom() throws IOException {
        admit(OTHER);
        SocketChannel first = admit(ONE);
        SocketChannel second = admit(ONE);

        assertThat(strangers.admit(socket(), THIRD)).contains(first);
        assertThat(strangers.remove(first, ONE)).as("it has gone before").isFalse();
        assertThat(strangers.remove(second, ONE)).isTrue();
    }

    @Test
    void whereNoAddressHasMoreThanAnotherTheFirstGoes() throws IOException {
        SocketChannel first = admit(OTHER);
        admit(ONE);
        admit(THIRD);

        assertThat(strangers.admit(socket(), InetAddress.ofLiteral("192.0.2.4"))).contains(first);
    }

    @Test
    void whoIsNotThereIsNotRemoved() throws IOException {
        SocketChannel socket = admit(ONE);

        assertThat(strangers.remove(socket, OTHER)).isFalse();
        assertThat(strangers.remove(socket, ONE)).isTrue();
        assertThat(strangers.remove(socket, ONE)).isFalse();
    }
}
