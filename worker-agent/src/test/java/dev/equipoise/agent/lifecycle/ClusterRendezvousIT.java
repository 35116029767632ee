package dev.equipoise.agent.lifecycle;

import static dev.equipoise.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.equipoise.agent.TestingPlan;
import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.ChannelFailed;
import dev.equipoise.agent.channel.DataServer;
import dev.equipoise.agent.channel.PendingRendezvous;
import dev.equipoise.agent.channel.RankIdentity;
import dev.equipoise.agent.channel.RunKey;
import dev.equipoise.agent.channel.Timeouts;
import dev.equipoise.agent.time.SystemTime;
import dev.equipoise.agent.time.TestingTime;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.AssignmentId;
import dev.equipoise.protocol.Continuation;
import dev.equipoise.protocol.Position;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.WorkerId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Rendezvous over real sockets, in a directory whose workers come and go as a test says. */
class ClusterRendezvousIT {

    private static final Duration MEETING = Duration.ofSeconds(30);
    private static final Duration RECONFIGURATION = Duration.ofSeconds(10);
    private static final AgentTimeouts TIMEOUTS =
            new AgentTimeouts(PATIENCE, PATIENCE, MEETING, RECONFIGURATION, PATIENCE);

    /** Longest pause between two attempts. */
    private static final Duration PAUSE = Duration.ofMillis(100);

    private static final String KEY = Base64.getEncoder().encodeToString(new byte[RunKey.BYTES]);
    private static final RunId RUN = RunId.of(UUID.randomUUID());
    private static final List<WorkerId> WORKERS =
            Stream.generate(() -> WorkerId.of(UUID.randomUUID())).limit(3).toList();

    private final Directory directory = new Directory();
    private final TestingTime time = new TestingTime();
    private final List<DataServer> servers = new ArrayList<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    @AfterEach
    void close() {
        threads.shutdownNow();
        servers.forEach(DataServer::close);
    }

    @Test
    void addressesAndConnectionsShareTheReconfigurationTimeout() throws IOException {
        try (Socket silent = boundWithoutListening()) {
            appearAfter(Duration.ofSeconds(7), silent);

            assertThatExceptionOfType(ChannelFailed.class)
                    .isThrownBy(() -> meet(continued(1, 2)))
                    .withMessageContaining("rank 0 at ")
                    .withMessageContaining("does not answer");
        }

        assertThat(time.slept()).isBetween(RECONFIGURATION, RECONFIGURATION.plus(PAUSE));
    }

    @Test
    void addressesAndConnectionsShareTheMeetingTimeout() throws IOException {
        try (Socket silent = boundWithoutListening()) {
            appearAfter(Duration.ofSeconds(20), silent);

            assertThatExceptionOfType(ChannelFailed.class)
                    .isThrownBy(() -> meet(begun(1, 2)))
                    .withMessageContaining("does not answer");
        }

        assertThat(time.slept()).isBetween(MEETING, MEETING.plus(PAUSE));
    }

    @Test
    void invisiblePeerIsAwaitedUntilTheTimeout() {
        assertThatExceptionOfType(ChannelFailed.class)
                .isThrownBy(() -> meet(continued(1, 2)))
                .withMessage(
                        "workers %s did not appear in the cluster within 10 s"
                                .formatted(WORKERS.subList(0, 2)));

        assertThat(time.slept()).isBetween(RECONFIGURATION, RECONFIGURATION.plus(PAUSE));
    }

    @Test
    void peerThatLeavesBeforeAllAreVisibleEndsTheRendezvous() {
        directory.whenAsked =
                () -> {
                    if (time.sleeps() == 3) {
                        directory.lose(0);
                    }
                };

        assertThatExceptionOfType(ChannelFailed.class)
                .isThrownBy(() -> meet(continued(1, 2)))
                .withMessage("rank 0 left the cluster during the rendezvous");

        assertThat(time.sleeps()).isEqualTo(3);
    }

    @Test
    void peerThatLeavesBeforeItConnectsEndsTheRendezvousOfTheOthers() {
        for (WorkerId worker : WORKERS) {
            directory.visible.put(worker, server().address());
        }
        Future<Channel> first = start(continued(0, 3), servers.get(0));
        Future<Channel> second = start(continued(1, 3), servers.get(1));
        await().until(() -> directory.watches.size() == 2);

        directory.lose(2);

        for (Future<Channel> rank : List.of(first, second)) {
            assertThat(rank)
                    .failsWithin(PATIENCE)
                    .withThrowableThat()
                    .withCauseInstanceOf(ChannelFailed.class)
                    .withMessageContaining("rank 2 left the cluster during the rendezvous");
        }
    }

    /** The kernel of a host accepts connections for a process that hangs. */
    @Test
    void hungPeerThatLeavesEndsItsHandshake() throws IOException {
        try (var hung = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            directory.visible.put(WORKERS.get(0), address(hung.getLocalPort()));
            directory.visible.put(WORKERS.get(1), server().address());
            Future<Channel> rank = start(continued(1, 2), servers.getFirst());
            try (Socket _ = hung.accept()) {
                directory.lose(0);

                assertThat(rank)
                        .failsWithin(PATIENCE)
                        .withThrowableThat()
                        .withCauseInstanceOf(ChannelFailed.class)
                        .withMessageContaining("rank 0 left the cluster during the rendezvous");
            }
        }
    }

    /** The service revokes the assignment when it continues the run with others. */
    @Test
    void revocationEndsTheRendezvous() throws Exception {
        try (var hung = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            directory.visible.put(WORKERS.get(0), address(hung.getLocalPort()));
            directory.visible.put(WORKERS.get(1), server().address());
            Future<Channel> rank = start(continued(1, 2), servers.getFirst());
            try (Socket _ = hung.accept()) {
                assertThat(rank.cancel(true)).isTrue();
                threads.shutdown();

                assertThat(threads.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                        .isTrue();
            }
        }
    }

    @Test
    void lossAfterTheRendezvousIsTheChannels() {
        for (WorkerId worker : WORKERS.subList(0, 2)) {
            directory.visible.put(worker, server().address());
        }
        Future<Channel> first = start(continued(0, 2), servers.get(0));
        Future<Channel> second = start(continued(1, 2), servers.get(1));
        assertThat(first).succeedsWithin(PATIENCE);
        assertThat(second).succeedsWithin(PATIENCE);
        try (Channel survivor = first.resultNow();
                Channel lost = second.resultNow()) {
            survivor.tolerateLosses();

            directory.lose(1);

            assertThat(survivor.isLost(1)).isTrue();
            assertThat(lost.rank()).isEqualTo(1);
        }
    }

    private Future<Channel> start(Assignment.Joint assignment, DataServer server) {
        return threads.submit(() ->
                new ClusterRendezvous(server, directory, TestingTimeouts.PATIENT, new SystemTime())
                        .meet(assignment));
    }

    private Channel meet(Assignment.Joint assignment) throws InterruptedException {
        return new ClusterRendezvous(server(), directory, TIMEOUTS, time).meet(assignment);
    }

    /** The first rank appears, after some time, at the address of a socket. */
    private void appearAfter(Duration delay, Socket socket) {
        directory.visible.put(WORKERS.get(1), server().address());
        directory.whenAsked =
                () -> {
                    if (time.slept().compareTo(delay) >= 0) {
                        directory.visible.put(WORKERS.get(0), address(socket.getLocalPort()));
                    }
                };
    }

    private DataServer server() {
        DataServer server = DataServer.openForSocketsOnly("127.0.0.1", new SecureRandom());
        servers.add(server);
        return server;
    }

    /** A connection to it is refused at once, and no other program gets the port. */
    private static Socket boundWithoutListening() throws IOException {
        var socket = new Socket();
        socket.bind(address(0));
        return socket;
    }

    private static InetSocketAddress address(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    private static Assignment.Training begun(int rank, int ranks) {
        return assignment(rank, ranks, null);
    }

    private static Assignment.Training continued(int rank, int ranks) {
        return assignment(rank, ranks, new Continuation(Position.beginning(2), List.of(0)));
    }

    private static Assignment.Training assignment(
            int rank, int ranks, @Nullable Continuation continuation) {
        return new Assignment.Training(
                AssignmentId.of(UUID.randomUUID()),
                2,
                RUN,
                rank,
                WORKERS.subList(0, ranks),
                KEY,
                TestingPlan.tiny(ranks),
                null,
                continuation);
    }

    /** Workers that a test makes visible and loses. */
    private static final class Directory implements PeerDirectory {

        private final Map<WorkerId, InetSocketAddress> visible = new ConcurrentHashMap<>();
        private final List<IntConsumer> watches = new CopyOnWriteArrayList<>();
        private Runnable whenAsked = () -> {};

        void lose(int rank) {
            watches.forEach(watch -> watch.accept(rank));
        }

        @Override
        public Set<WorkerId> sees() {
            whenAsked.run();
            return Set.copyOf(visible.keySet());
        }

        @Override
        public Optional<InetSocketAddress> dataAddress(WorkerId worker) {
            return Optional.ofNullable(visible.get(worker));
        }

        @Override
        public Channel channel(
                RankIdentity identity,
                List<WorkerId> peers,
                Timeouts timeouts,
                PendingRendezvous rendezvous) {
            throw new UnsupportedOperationException("these tests use sockets");
        }

        @Override
        public void whenOneLeaves(List<WorkerId> peers, IntConsumer action) {
            watches.add(action);
        }

        @Override
        public void whenOneIsLost(List<WorkerId> peers, IntConsumer action) {
            watches.add(action);
        }
    }
}
