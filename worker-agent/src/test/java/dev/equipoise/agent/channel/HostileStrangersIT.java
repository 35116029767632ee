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

/** Honest ranks among others who want no good of their data servers. */
@Timeout(Patience.SECONDS)
class HostileStrangersIT {

    /** Every address of 127.0.0.0/8 is this machine. */
    private static final InetSocketAddress ELSEWHERE = new InetSocketAddress("127.0.0.2", 0);

    private static final Timeouts SOONER_THAN_STRANGERS_ARE_SENT_AWAY =
            new Timeouts(Handshake.PATIENCE.minusSeconds(1), Patience.PATIENCE);

    private final TestingMesh mesh = new TestingMesh(2);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicInteger attempts = new AtomicInteger();
    private final AtomicInteger letIn = new AtomicInteger();

    @AfterEach
    void stop() throws InterruptedException {
        threads.shutdownNow();
        assertThat(threads.awaitTermination(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
        mesh.close();
    }

    /** What a stranger does until it is stopped. */
    private interface Attack {
        void attempt() throws IOException;
    }

    private void keep(Attack attack) {
        Future<?> _ =
                threads.submit(() -> {
                    while (!Thread.currentThread().isInterrupted()) {
                        try {
                            attack.attempt();
                        } catch (IOException refused) {
                            // And once more.
                        }
                        attempts.incrementAndGet();
                    }
                });
    }

    private SocketChannel stranger(int rank) throws IOException {
        SocketChannel socket = SocketChannel.open();
        socket.bind(ELSEWHERE);
        socket.connect(mesh.server(rank).address());
        return socket;
    }

    /** Connects, says half of a claim, and comes again at once where it was sent away. */
    private void takePlaces() {
        Deque<SocketChannel> held = new ArrayDeque<>();
        keep(() -> {
            SocketChannel socket = stranger(0);
            socket.write(ByteBuffer.allocate(20));
            held.addLast(socket);
            if (held.size() > 2 * DataServer.MAX_HANDSHAKES) {
                Sockets.closeQuietly(held.removeFirst());
            }
        });
    }

    private void claimWith(RunGroup wrong) {
        var handshake = new Handshake(new SecureRandom(), Optional.empty());
        keep(() -> {
            Connection connection =
                    handshake.connect(
                            mesh.server(0).address(), wrong, 0, Deadline.in(Patience.PATIENCE));
            letIn.incrementAndGet();
            Sockets.closeQuietly(connection);
        });
    }

    private void talkNonsense() {
        keep(() -> {
            try (SocketChannel socket = stranger(0)) {
                byte[] nonsense = new byte[4096];
                new SecureRandom().nextBytes(nonsense);
                socket.write(ByteBuffer.wrap(nonsense));
                socket.read(ByteBuffer.allocate(Handshake.NONCE_BYTES));
            }
        });
    }

    /** A busy machine may need more than one attempt to be sooner. */
    @Test
    void whoHoldsAllPlacesKeepsNobodyOut() {
        await().ignoreExceptionsInstanceOf(ChannelFailed.class)
                .untilAsserted(this::assertMeetWhileAllPlacesAreHeld);
    }

    private void assertMeetWhileAllPlacesAreHeld() throws IOException {
        List<SocketChannel> held = new ArrayList<>();
        try {
            for (int i = 0; i < DataServer.MAX_HANDSHAKES; i++) {
                SocketChannel socket = stranger(0);
                socket.write(ByteBuffer.allocate(20));
                held.add(socket);
            }

            List<Channel> channels = mesh.connectAll(SOONER_THAN_STRANGERS_ARE_SENT_AWAY);

            assertThat(channels).hasSize(2);
            channels.forEach(Channel::close);
        } finally {
            held.forEach(Sockets::closeQuietly);
        }
    }

    @Test
    void ranksThatHaveMetGoOnAmongStrangers() {
        List<Channel> channels = mesh.connectAll();
        RunGroup honest = mesh.group(1);
        claimWith(mesh.groupWithAnotherKey(1));
        claimWith(
                new RunGroup(
                        honest.run(),
                        honest.generation() + 1,
                        honest.rank(),
                        honest.size(),
                        honest.key()));
        takePlaces();
        talkNonsense();
        await().until(() -> attempts.get() > 4 * DataServer.MAX_HANDSHAKES);

        TestingRanks.run(channels, HostileStrangersIT::exchangeOften);

        assertThat(channels).allMatch(it -> it.staleFrames() == 0);
        assertThat(letIn).as("who had no key to this run").hasValue(0);
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
