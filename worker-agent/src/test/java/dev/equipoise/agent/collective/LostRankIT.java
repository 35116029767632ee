package dev.equipoise.agent.collective;

import static dev.equipoise.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.ChannelFailed;
import dev.equipoise.agent.channel.ChannelFailed.Reason;
import dev.equipoise.agent.channel.MemoryChannel;
import dev.equipoise.agent.channel.PayloadType;
import dev.equipoise.agent.channel.TestingMesh;
import dev.equipoise.agent.channel.TestingRanks;
import dev.equipoise.agent.channel.Timeouts;
import dev.equipoise.agent.time.SystemTime;
import dev.equipoise.protocol.Topology.Algorithm;
import dev.equipoise.testing.Patience;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * When a rank leaves, is silent, or sends a wrong frame, all others fail, whichever rank they were
 * waiting for, and their input vectors are unchanged.
 */
@Timeout(Patience.SECONDS)
class LostRankIT {

    private static final int RANKS = 5;
    private static final int LOST = 3;
    private static final int ROUND = 20;
    private static final int ELEMENTS = 50_000;

    @ParameterizedTest
    @EnumSource
    void aLeavingRankFailsTheExchangeInMemory(Algorithm algorithm) {
        assertEnds(MemoryChannel.join(RANKS), algorithm, LostRankIT::leave, Reason.PEER_LOST);
    }

    @ParameterizedTest
    @EnumSource
    void aLeavingRankFailsTheExchangeOverSockets(Algorithm algorithm) {
        try (var mesh = new TestingMesh(RANKS)) {
            assertEnds(mesh.connectAll(), algorithm, LostRankIT::leave, Reason.PEER_LOST);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aLeavingRankFailsTheExchangeInSharedMemory(Algorithm algorithm) {
        try (var mesh = TestingMesh.sharingMemory(RANKS)) {
            assertEnds(mesh.connectAll(), algorithm, LostRankIT::leave, Reason.PEER_LOST);
        }
    }

    /**
     * The lost rank is silent from the start, since the short idle time-out could also end a sum of
     * all ranks on a busy host.
     */
    @ParameterizedTest
    @EnumSource
    void aSilentRankTimesOutTheExchange(Algorithm algorithm) {
        var shortTimeouts = new Timeouts(PATIENCE, Duration.ofMillis(500));
        var inputs = TestingVectors.random(RANKS, ELEMENTS);
        var before = inputs.copy();
        var survivors = new CountDownLatch(RANKS - 1);
        Queue<Reason> reasons = new ConcurrentLinkedQueue<>();
        try (var mesh = new TestingMesh(RANKS)) {
            TestingRanks.run(
                    mesh.connectAll(shortTimeouts),
                    channel -> {
                        if (channel.rank() == LOST) {
                            survivors.await();
                            channel.close();
                            return;
                        }
                        MemorySegment own = inputs.ofRanks().get(channel.rank());
                        assertThatExceptionOfType(ChannelFailed.class)
                                .isThrownBy(() -> sumRounds(sum(algorithm, channel), own))
                                .satisfies(failure -> reasons.add(failure.reason()));
                        survivors.countDown();
                    });
        }
        assertEnded(inputs, before, reasons, Reason.TIMED_OUT);
    }

    @ParameterizedTest
    @EnumSource
    void aWrongFrameFailsTheExchange(Algorithm algorithm) {
        try (var mesh = new TestingMesh(RANKS)) {
            assertEnds(mesh.connectAll(), algorithm, LostRankIT::sendTooLittle, Reason.BAD_FRAME);
        }
    }

    /** The behavior of the lost rank. */
    private interface Loss {
        void of(Channel channel, CountDownLatch survivors) throws InterruptedException;
    }

    private static void leave(Channel channel, CountDownLatch survivors) {
        channel.close();
    }

    private static void sendTooLittle(Channel channel, CountDownLatch survivors)
            throws InterruptedException {
        MemorySegment little = Arena.ofAuto().allocate(1);
        try {
            for (int peer = 0; peer < RANKS; peer++) {
                if (peer != LOST) {
                    channel.send(peer, PayloadType.PLAIN, little, 0, 1);
                }
            }
            for (int peer = 0; peer < RANKS; peer++) {
                if (peer != LOST) {
                    channel.awaitSent(peer);
                }
            }
            survivors.await();
        } catch (ChannelFailed _) {
            // Ranks that have failed already are gone.
        }
        channel.close();
    }

    /**
     * Asserts that ranks that waited for the lost rank report the reason, and the others a lost
     * peer.
     */
    private static void assertEnds(
            List<Channel> channels, Algorithm algorithm, Loss loss, Reason reason) {
        var inputs = TestingVectors.random(RANKS, ELEMENTS);
        var before = inputs.copy();
        var survivors = new CountDownLatch(RANKS - 1);
        Queue<Reason> reasons = new ConcurrentLinkedQueue<>();
        TestingRanks.run(
                channels,
                channel -> {
                    TestingSum sum = sum(algorithm, channel);
                    MemorySegment own = inputs.ofRanks().get(channel.rank());
                    sumRounds(sum, own);
                    if (channel.rank() == LOST) {
                        lose(channel, loss, survivors);
                        return;
                    }
                    assertThatExceptionOfType(ChannelFailed.class)
                            .isThrownBy(() -> sumRounds(sum, own))
                            .satisfies(failure -> reasons.add(failure.reason()));
                    survivors.countDown();
                });
        assertEnded(inputs, before, reasons, reason);
    }

    private static void assertEnded(
            TestingVectors inputs,
            TestingVectors before,
            Collection<Reason> reasons,
            Reason reason) {
        assertThat(reasons).hasSize(RANKS - 1).contains(reason);
        assertThat(reasons).isSubsetOf(reason, Reason.PEER_LOST);
        for (int rank = 0; rank < RANKS; rank++) {
            assertThat(inputs.ofRanks().get(rank).mismatch(before.ofRanks().get(rank)))
                    .isEqualTo(-1);
        }
    }

    private static TestingSum sum(Algorithm algorithm, Channel channel) {
        var allReduce =
                AllReduces.of(algorithm, channel, ELEMENTS, new SystemTime(), Arena.ofAuto());
        return new TestingSum(allReduce, ELEMENTS, Arena.ofAuto());
    }

    /** Sums several rounds, since a rank far from the lost one may finish a few before it fails. */
    private static void sumRounds(TestingSum sum, MemorySegment own) {
        for (int round = 0; round < ROUND; round++) {
            sum.of(own);
        }
    }

    private static void lose(Channel channel, Loss loss, CountDownLatch survivors) {
        try {
            loss.of(channel, survivors);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
