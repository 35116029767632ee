package dev.equipoise.agent.channel;

import static dev.equipoise.agent.AllocationTrials.bytesOf;
import static dev.equipoise.testing.Patience.PATIENCE;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DirectChannelIT extends ChannelContract {

    private static final Timeouts SHORT =
            new Timeouts(Duration.ofMillis(300), Duration.ofMillis(200));

    /** The first frame of rank 1, of three floats. */
    private static final FrameHeader VALID =
            new FrameHeader(PayloadType.PLAIN, 1, 1, TestingMesh.GENERATION, 12);

    /** A thirtieth of the forged lengths, and far more than a failure allocates. */
    private static final long MUCH_MEMORY = 64L << 20;

    private final List<TestingMesh> meshes = new ArrayList<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    @Override
    protected List<Channel> join(int size) {
        return mesh(size).connectAll();
    }

    @AfterEach
    void closeMeshes() {
        meshes.forEach(TestingMesh::close);
        threads.shutdownNow();
    }

    @Test
    void retriesUntilThePeerListens() {
        TestingMesh mesh = mesh(2);
        Future<Channel> early =
                threads.submit(() -> mesh.connect(mesh.identity(1), TestingMesh.TIMEOUTS));
        await().until(() -> mesh.server(0).refusedConnections() > 0);

        try (var late = mesh.connect(mesh.identity(0), TestingMesh.TIMEOUTS)) {
            assertThat(late.size()).isEqualTo(2);
            assertThat(early).succeedsWithin(PATIENCE);
        }
    }

    @Test
    void failsWhenPeersDoNotConnectInTime() {
        TestingMesh mesh = mesh(3);

        assertThatExceptionOfType(ChannelFailed.class)
                .isThrownBy(() -> mesh.connect(mesh.identity(0), SHORT))
                .withMessageContaining("rank 0 of run")
                .withMessageContaining("of the higher ranks only []");
        assertThatExceptionOfType(ChannelFailed.class)
                .isThrownBy(() -> mesh.connect(mesh.identity(2), SHORT))
                .withMessageContaining("rank 0 at /127.0.0.1");
    }

    @Test
    void rejectsAPeerWithAnotherKeyAndGoesOnWaiting() {
        TestingMesh mesh = mesh(2);
        Future<Channel> waiting =
                threads.submit(() -> mesh.connect(mesh.identity(0), TestingMesh.TIMEOUTS));

        // A busy host may need more than one short attempt to reach the proof.
        await().untilAsserted(() -> {
            assertThatExceptionOfType(ChannelFailed.class)
                    .isThrownBy(() -> mesh.connect(mesh.identityWithAnotherKey(1), SHORT))
                    .withMessageContaining("does not answer");
            assertThat(mesh.server(0).refusedConnections()).isPositive();
        });

        try (var honest = mesh.connect(mesh.identity(1), TestingMesh.TIMEOUTS)) {
            assertThat(honest.size()).isEqualTo(2);
            assertThat(waiting).succeedsWithin(PATIENCE);
        }
    }

    @Test
    void rejectsAServerWithAnotherKey() throws IOException {
        TestingMesh mesh = mesh(2);
        try (var impostor = DataServer.open("127.0.0.1", new SecureRandom())) {
            var handshake = new Handshake(new SecureRandom(), Optional.empty());
            impostor.expect(mesh.identityWithAnotherKey(0));

            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() ->
                            handshake.connect(
                                    impostor.address(),
                                    mesh.identity(1),
                                    0,
                                    PendingRendezvous.within(PATIENCE)))
                    .withMessage("the peer has closed the connection during the handshake");
        }
    }

    @Test
    void connectsDespitePortScanners() throws IOException {
        TestingMesh mesh = mesh(2);
        List<SocketChannel> scanners = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            SocketChannel scanner = SocketChannel.open(mesh.server(0).address());
            scanner.write(ByteBuffer.allocate(i * 20));
            scanners.add(scanner);
        }

        List<Channel> channels = mesh.connectAll();

        assertThat(channels).hasSize(2);
        await().untilAsserted(() -> assertThat(mesh.server(0).refusedConnections()).isPositive());
        scanners.forEach(Sockets::closeQuietly);
        channels.forEach(Channel::close);
    }

    /** Repeats the attempt, since a busy host may disconnect all clients before it reads. */
    @Test
    void limitsUnauthenticatedConnections() {
        await().untilAsserted(this::assertOldestConnectionsAreEvicted);
    }

    private void assertOldestConnectionsAreEvicted() throws IOException {
        TestingMesh mesh = mesh(1);
        List<SocketChannel> clients = new ArrayList<>();
        try {
            for (int i = 0; i < DataServer.MAX_HANDSHAKES + 5; i++) {
                clients.add(SocketChannel.open(mesh.server(0).address()));
            }

            // The oldest connections are evicted for the newest.
            for (SocketChannel client : clients.subList(0, 5)) {
                assertThat(readUntilPendingOrEnded(client)).isLessThan(0);
            }
            clients.getLast().configureBlocking(false);
            assertThat(readUntilPendingOrEnded(clients.getLast())).isZero();
        } finally {
            clients.forEach(Sockets::closeQuietly);
        }
    }

    /** Returns the result of the last read: 0 if no byte is pending, negative at the end. */
    private static int readUntilPendingOrEnded(SocketChannel socket) throws IOException {
        ByteBuffer challenge = ByteBuffer.allocate(2 * Handshake.NONCE_BYTES);
        int found = socket.read(challenge);
        while (found > 0) {
            found = socket.read(challenge);
        }
        return found;
    }

    @Test
    void dropsFramesOfAnotherGeneration() throws Exception {
        try (var pair = new RawPair(mesh(2))) {
            pair.send(new FrameHeader(PayloadType.PLAIN, 1, 1, TestingMesh.GENERATION - 1, 40_000));
            pair.send(new FrameHeader(PayloadType.PLAIN, 1, 7, TestingMesh.GENERATION + 1, 0));
            pair.send(VALID);
            MemorySegment in = pattern(5, 3);

            pair.channel.exchange(1, MemorySegment.NULL, 1, in);

            assertThat(in.mismatch(floats(3))).isEqualTo(-1);
            assertThat(pair.channel.staleFrames()).isEqualTo(2);
        }
    }

    @Test
    void rejectsACorruptFrame() throws Exception {
        try (var pair = new RawPair(mesh(2))) {
            pair.send(VALID, 4711, 12);

            assertThatExceptionOfType(ChannelFailed.class)
                    .isThrownBy(() -> pair.channel.exchange(1, MemorySegment.NULL, 1, floats(3)))
                    .withMessageContaining("checksum must be 4711");
        }
    }

    @Test
    void rejectsBytesThatAreNotAFrame() throws Exception {
        try (var pair = new RawPair(mesh(2))) {
            pair.socket.write(
                    ByteBuffer.wrap(
                            "GET / HTTP/1.1\r\nHost: somewhere\r\n\r\n"
                                    .getBytes(StandardCharsets.US_ASCII)));

            assertThatExceptionOfType(ChannelFailed.class)
                    .isThrownBy(() -> pair.channel.exchange(1, MemorySegment.NULL, 1, floats(3)))
                    .withMessageContaining("magic");
        }
    }

    @Test
    void timesOutOnASilentPeer() throws Exception {
        try (var pair = new RawPair(mesh(2), Duration.ofMillis(200))) {
            assertThatExceptionOfType(ChannelFailed.class)
                    .isThrownBy(() -> pair.channel.exchange(1, MemorySegment.NULL, 1, floats(3)))
                    .withMessageContaining("nothing has moved for PT0.2S");
        }
    }

    @Test
    void failsOnAResetInTheMiddleOfAFrame() throws Exception {
        try (var pair = new RawPair(mesh(2))) {
            pair.send(VALID, 0, 5);
            pair.socket.close();

            assertThatExceptionOfType(ChannelFailed.class)
                    .isThrownBy(() -> pair.channel.exchange(1, MemorySegment.NULL, 1, floats(3)));
        }
    }

    @ParameterizedTest
    @Tag("allocation")
    @CsvSource(
            delimiter = '|',
            value = {
                "true  |  2147483647 | payload length must be 12, but was 2147483647",
                "true  |  2147483644 | payload length must be 12, but was 2147483644",
                "true  |          -1 | its header announces bytes: 4294967295",
                "true  | -2147483648 | its header announces bytes: 2147483648",
                "false |  2147483647 | payload length must be at most 12, but was 2147483647",
                "false |          -4 | its header announces bytes: 4294967292"
            })
    void forgedLengthFailsItsOwnChannelAlone(boolean isExact, int announced, String reason)
            throws Exception {
        TestingMesh mesh = mesh(2);
        List<Channel> others = anotherRun(mesh);
        try (var pair = new RawPair(mesh)) {
            FrameHeader forged = forged(TestingMesh.GENERATION, announced);
            pair.send(forged, checksum(forged), 0);

            long allocated =
                    bytesOf(() ->
                            assertThatExceptionOfType(ChannelFailed.class)
                                    .isThrownBy(() -> receiveThreeFloats(pair.channel, isExact))
                                    .withMessageContaining("from rank 1")
                                    .withMessageContaining(reason)
                                    .returns(
                                            ChannelFailed.Reason.BAD_FRAME, ChannelFailed::reason));

            assertThat(allocated).isLessThan(MUCH_MEMORY);
            TestingRanks.run(others, channel -> assertExchanges(channel, 1 - channel.rank()));
        } finally {
            others.forEach(Channel::close);
        }
    }

    private static void receiveThreeFloats(Channel channel, boolean isExact) {
        if (isExact) {
            channel.exchange(1, MemorySegment.NULL, 1, floats(3));
        } else {
            Channel.Received _ = channel.receiveAtMost(1, floats(3));
        }
    }

    /** A frame of another generation is dropped piece by piece, and never held as a whole. */
    @Test
    @Tag("allocation")
    void forgedLengthOfAnotherGenerationAllocatesNothing() throws Exception {
        try (var pair = new RawPair(mesh(2), Duration.ofMillis(200))) {
            FrameHeader forged = forged(TestingMesh.GENERATION - 1, Integer.MAX_VALUE);
            pair.send(forged, checksum(forged), 100_000);

            long allocated =
                    bytesOf(() ->
                            assertThatExceptionOfType(ChannelFailed.class)
                                    .isThrownBy(() -> receiveThreeFloats(pair.channel, true))
                                    .returns(
                                            ChannelFailed.Reason.TIMED_OUT, ChannelFailed::reason));

            assertThat(allocated).isLessThan(MUCH_MEMORY);
            assertThat(pair.channel.staleFrames()).isZero();
        }
    }

    @Test
    void forgedLengthLosesItsSenderAloneIfLossesAreTolerated() throws Exception {
        TestingMesh mesh = mesh(3);
        List<Future<Channel>> joining =
                List.of(
                        threads.submit(() -> mesh.connect(mesh.identity(0), TestingMesh.TIMEOUTS)),
                        threads.submit(() -> mesh.connect(mesh.identity(2), TestingMesh.TIMEOUTS)));
        Map<Integer, Connection> hostile =
                new Mesh(
                                mesh.server(1),
                                mesh.identity(1),
                                mesh.addresses(),
                                PendingRendezvous.within(PATIENCE))
                        .assemble();
        List<Channel> survivors = List.of(joining.getFirst().get(), joining.getLast().get());
        try {
            for (Connection connection : hostile.values()) {
                FrameHeader forged = forged(TestingMesh.GENERATION, Integer.MAX_VALUE);
                write(connection.socket(), forged, checksum(forged), 0);
            }

            TestingRanks.run(
                    survivors,
                    channel -> {
                        channel.tolerateLosses();
                        channel.receive(1, floats(3), 0, 12);
                        assertThat(channel.awaitReceivedOrLost(1)).isFalse();
                        assertThat(channel.isLost(1)).isTrue();
                        assertExchanges(channel, 2 - channel.rank());
                    });
        } finally {
            survivors.forEach(Channel::close);
            hostile.values().forEach(Sockets::closeQuietly);
        }
    }

    private static FrameHeader forged(int generation, int announced) {
        return new FrameHeader(PayloadType.PLAIN, 1, 1, generation, announced);
    }

    private static void assertExchanges(Channel channel, int peer) {
        MemorySegment in = floats(1000);
        channel.exchange(peer, pattern(channel.rank(), 1000), peer, in);
        assertThat(in.mismatch(pattern(peer, 1000))).isEqualTo(-1);
    }

    /** Connects two ranks of another run over the same data servers. */
    private static List<Channel> anotherRun(TestingMesh mesh) {
        var run = UUID.randomUUID();
        var key = new RunKey(new byte[RunKey.BYTES]);
        List<Callable<Channel>> connections = new ArrayList<>();
        for (int rank = 0; rank < 2; rank++) {
            var identity = new RankIdentity(run, TestingMesh.GENERATION, rank, 2, key);
            connections.add(() -> mesh.connect(identity, TestingMesh.TIMEOUTS));
        }
        return TestingRanks.callAll(connections);
    }

    /** On one host the checksum covers only the header. */
    private static int checksum(FrameHeader header) {
        ByteBuffer encoded = FrameHeader.allocate();
        header.encode(encoded);
        var checksum = new CRC32C();
        checksum.update(FrameHeader.covered(encoded));
        return (int) checksum.getValue();
    }

    /** Writes a frame with a payload of zeros. */
    private static void write(SocketChannel socket, FrameHeader header, int checksum, int zeros)
            throws IOException {
        ByteBuffer encoded = FrameHeader.allocate();
        header.encode(encoded);
        FrameHeader.setChecksum(encoded, checksum);
        Sockets.write(socket, encoded, ByteBuffer.allocate(zeros));
    }

    private TestingMesh mesh(int size) {
        var mesh = new TestingMesh(size);
        meshes.add(mesh);
        return mesh;
    }

    /** Rank 0 with an authenticated rank 1 that then writes arbitrary bytes. */
    private final class RawPair implements AutoCloseable {

        private final SocketChannel socket;
        private final Channel channel;

        RawPair(TestingMesh mesh) throws Exception {
            this(mesh, PATIENCE);
        }

        RawPair(TestingMesh mesh, Duration idle) throws Exception {
            var timeouts = new Timeouts(PATIENCE, idle);
            var connecting =
                    CompletableFuture.supplyAsync(
                            () -> mesh.connect(mesh.identity(0), timeouts), threads);
            var calls =
                    new Mesh(
                            mesh.server(1),
                            mesh.identity(1),
                            mesh.addresses(),
                            PendingRendezvous.within(timeouts.connect()));
            socket = requireNonNull(calls.assemble().get(0)).socket();
            channel = connecting.get();
        }

        /** Sends a frame with a payload of zeros. */
        void send(FrameHeader header) throws IOException {
            send(header, checksum(header), header.payloadBytes());
        }

        void send(FrameHeader header, int checksum, int zeros) throws IOException {
            write(socket, header, checksum, zeros);
        }

        @Override
        public void close() {
            Sockets.closeQuietly(socket);
            channel.close();
        }
    }
}
