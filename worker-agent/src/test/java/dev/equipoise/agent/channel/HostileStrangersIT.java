package dev.equipoise.agent.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.equipoise.testing.Patience;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Genuine ranks whose data servers are attacked by unauthenticated peers. */
@Timeout(Patience.SECONDS)
class HostileStrangersIT {

    /** Another local address: all of 127.0.0.0/8 is this host. */
    private static final InetSocketAddress OTHER_ADDRESS = new InetSocketAddress("127.0.0.2", 0);

    private static final Timeouts SHORTER_THAN_A_HANDSHAKE =
            new Timeouts(Handshake.TIME_LIMIT.minusSeconds(1), Patience.PATIENCE);

    private final TestingMesh mesh = new TestingMesh(2);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicInteger attempts = new AtomicInteger();
    private final AtomicInteger authenticated = new AtomicInteger();

    @AfterEach
    void stop() throws InterruptedException {
        threads.shutdownNow();
        assertThat(threads.awaitTermination(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
        mesh.close();
    }

    /** An attack that is repeated until it is stopped. */
    private interface Attack {
        void attempt() throws IOException;
    }

    private void repeat(Attack attack) {
        Future<?> _ =
                threads.submit(() -> {
                    while (!Thread.currentThread().isInterrupted()) {
                        try {
                            attack.attempt();
                        } catch (IOException refused) {
                            // Try again.
                        }
                        attempts.incrementAndGet();
                    }
                });
    }

    private SocketChannel attacker(int rank) throws IOException {
        SocketChannel socket = SocketChannel.open();
        socket.bind(OTHER_ADDRESS);
        socket.connect(mesh.server(rank).address());
        return socket;
    }

    /** Connects, sends half of a claim, and reconnects at once when evicted. */
    private void exhaustHandshakes() {
        Deque<SocketChannel> held = new ArrayDeque<>();
        repeat(() -> {
            SocketChannel socket = attacker(0);
            socket.write(ByteBuffer.allocate(20));
            held.addLast(socket);
            if (held.size() > 2 * DataServer.MAX_HANDSHAKES) {
                Sockets.closeQuietly(held.removeFirst());
            }
        });
    }

    private void claimWith(RankIdentity wrong) {
        var handshake = new Handshake(new SecureRandom(), Optional.empty());
        repeat(() -> {
            Connection connection =
                    handshake.connect(
                            mesh.server(0).address(),
                            wrong,
                            0,
                            PendingRendezvous.within(Patience.PATIENCE));
            authenticated.incrementAndGet();
            Sockets.closeQuietly(connection);
        });
    }

    private void sendRandomBytes() {
        repeat(() -> {
            try (SocketChannel socket = attacker(0)) {
                byte[] nonsense = new byte[4096];
                new SecureRandom().nextBytes(nonsense);
                socket.write(ByteBuffer.wrap(nonsense));
                socket.read(ByteBuffer.allocate(Handshake.NONCE_BYTES));
            }
        });
    }

    /** A busy host may need more than one attempt to be fast enough. */
    @Test
    void silentConnectionsDoNotKeepGenuineRanksOut() {
        await().ignoreExceptionsInstanceOf(ChannelFailed.class)
                .untilAsserted(this::assertConnectsWhileAllHandshakesAreTaken);
    }

    private void assertConnectsWhileAllHandshakesAreTaken() throws IOException {
        List<SocketChannel> held = new ArrayList<>();
        try {
            for (int i = 0; i < DataServer.MAX_HANDSHAKES; i++) {
                SocketChannel socket = attacker(0);
                socket.write(ByteBuffer.allocate(20));
                held.add(socket);
            }

            List<Channel> channels = mesh.connectAll(SHORTER_THAN_A_HANDSHAKE);

            assertThat(channels).hasSize(2);
            channels.forEach(Channel::close);
        } finally {
            held.forEach(Sockets::closeQuietly);
        }
    }

    @Test
    void connectedRanksGoOnUnderAttack() {
        List<Channel> channels = mesh.connectAll();
        RankIdentity genuine = mesh.identity(1);
        claimWith(mesh.identityWithAnotherKey(1));
        claimWith(
                new RankIdentity(
                        genuine.run(),
                        genuine.generation() + 1,
                        genuine.rank(),
                        genuine.size(),
                        genuine.key()));
        exhaustHandshakes();
        sendRandomBytes();
        await().until(() -> attempts.get() > 4 * DataServer.MAX_HANDSHAKES);

        TestingRanks.run(channels, HostileStrangersIT::exchangeOften);

        assertThat(channels).allMatch(it -> it.staleFrames() == 0);
        assertThat(authenticated).as("authenticated without the key of this run").hasValue(0);
        channels.forEach(Channel::close);
    }

    private static void exchangeOften(Channel channel) {
        int peer = 1 - channel.rank();
        MemorySegment mine = ChannelContract.pattern(channel.rank(), 1000);
        for (int round = 0; round < 500; round++) {
            MemorySegment theirs = ChannelContract.floats(1000);
            channel.exchange(peer, mine, peer, theirs);
            assertThat(theirs.mismatch(ChannelContract.pattern(peer, 1000))).isEqualTo(-1);
        }
    }
}
