package dev.equipoise.agent.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.equipoise.testing.Patience;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The contract of every channel. */
@Timeout(Patience.SECONDS)
public abstract class ChannelContract {

    private static final MemorySegment EMPTY = MemorySegment.NULL;

    private final List<Channel> opened = new ArrayList<>();

    /** Returns one channel for each rank, in the order of the ranks. */
    protected abstract List<Channel> join(int size);

    /** Runs all ranks concurrently. */
    protected void run(List<Channel> channels, TestingRanks.Rank rank) {
        TestingRanks.run(channels, rank);
    }

    /** Tells whether the channels tolerate lost peers. */
    protected boolean toleratesLosses() {
        return true;
    }

    /** The clock that times exchanges, in nanoseconds. */
    protected long nanoTime(Channel channel) {
        return System.nanoTime();
    }

    @AfterEach
    void closeChannels() {
        opened.forEach(Channel::close);
    }

    @ParameterizedTest(name = "{0} ranks, {1} floats")
    @CsvSource({
        "2, 0",
        "2, 1",
        "2, 3",
        "2, 1048576",
        "3, 0",
        "3, 1",
        "3, 3",
        "3, 1048576",
        "5, 0",
        "5, 1",
        "5, 3",
        "5, 1048576"
    })
    void exchangesSegmentsAroundARing(int size, int floats) {
        run(
                joined(size),
                channel -> {
                    int next = (channel.rank() + 1) % size;
                    int previous = (channel.rank() + size - 1) % size;
                    for (int round = 0; round < 3; round++) {
                        MemorySegment in = floats(floats);
                        channel.exchange(
                                next, pattern(channel.rank() + round, floats), previous, in);
                        assertThat(in.mismatch(pattern(previous + round, floats))).isEqualTo(-1);
                    }
                });
    }

    @Test
    void exchangesDifferentLengthsInBothDirections() {
        run(
                joined(2),
                channel -> {
                    int peer = 1 - channel.rank();
                    MemorySegment in = floats(7 * peer);
                    channel.exchange(peer, pattern(1, 7 * channel.rank()), peer, in);
                    assertThat(in.mismatch(pattern(1, 7 * peer))).isEqualTo(-1);
                });
    }

    @Test
    void exchanges16MegabytesInBothDirectionsAtOnce() {
        int floats = 4 << 20;
        run(
                joined(2),
                channel -> {
                    int peer = 1 - channel.rank();
                    MemorySegment in = floats(floats);
                    channel.exchange(peer, pattern(channel.rank(), floats), peer, in);
                    assertThat(in.mismatch(pattern(peer, floats))).isEqualTo(-1);
                });
    }

    @Test
    void exchangesLengthsThatAreNotAMultipleOfFour() {
        run(
                joined(2),
                channel -> {
                    MemorySegment in = floats(2).asSlice(0, 5);
                    MemorySegment out = pattern(3, 2).asSlice(0, 5);
                    channel.exchange(1 - channel.rank(), out, 1 - channel.rank(), in);
                    assertThat(in.mismatch(out)).isEqualTo(-1);
                });
    }

    @Test
    void awaitAnyReturnsTheRankWhoseFrameHasArrived() {
        run(
                joined(3),
                channel -> {
                    if (channel.rank() == 0) {
                        exchangeWithAny(2, channel);
                        exchangeWithAny(1, channel);
                    } else {
                        channel.exchange(0, pattern(channel.rank(), 3), 0, EMPTY);
                    }
                });
    }

    /** The frame of the other rank arrives meanwhile and must not be lost. */
    private static void exchangeWithAny(int peer, Channel channel) {
        MemorySegment in = floats(3);
        channel.receive(peer, in, 0, in.byteSize());
        assertThat(channel.awaitAny()).isEqualTo(peer);
        channel.awaitReceived(peer);
        assertThat(in.mismatch(pattern(peer, 3))).isEqualTo(-1);
        channel.send(peer, PayloadType.PLAIN, EMPTY, 0, 0);
        channel.awaitSent(peer);
    }

    /** A rank that always has a frame ready must not starve the others. */
    @Test
    void awaitAnyServesRanksRoundRobin() {
        run(
                joined(4),
                channel -> {
                    switch (channel.rank()) {
                        case 0 -> assertServedRoundRobin(channel);
                        case 3 -> {
                            channel.exchange(1, EMPTY, 1, EMPTY);
                            channel.exchange(2, EMPTY, 2, EMPTY);
                            exchangeOften(channel, 0);
                        }
                        default -> {
                            for (int frame = 0; frame < 3; frame++) {
                                channel.send(0, PayloadType.PLAIN, EMPTY, 0, 0);
                            }
                            channel.awaitSent(0);
                            channel.exchange(3, EMPTY, 3, EMPTY);
                        }
                    }
                });
    }

    /** Rank 3 sends after ranks 1 and 2, and so often that their frames must have arrived. */
    private static void assertServedRoundRobin(Channel channel) {
        for (int frame = 0; frame < 3; frame++) {
            channel.receive(1, EMPTY, 0, 0);
            channel.receive(2, EMPTY, 0, 0);
        }
        exchangeOften(channel, 3);
        List<Integer> order = new ArrayList<>();
        for (int frame = 0; frame < 6; frame++) {
            int peer = channel.awaitAny();
            channel.awaitReceived(peer);
            order.add(peer);
        }
        assertThat(order).containsExactly(1, 2, 1, 2, 1, 2);
    }

    private static void exchangeOften(Channel channel, int peer) {
        for (int i = 0; i < 10; i++) {
            channel.exchange(peer, EMPTY, peer, EMPTY);
        }
    }

    @Test
    void awaitAnyWithoutReceiveBufferFails() {
        Channel channel = joined(2).getFirst();

        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(channel::awaitAny)
                .withMessage("rank 0 awaits frames but has posted no receive buffer");
    }

    @Test
    void awaitAnyFailsWhenAnAwaitedPeerCloses() {
        run(
                joined(3),
                channel -> {
                    if (channel.rank() == 0) {
                        channel.receive(1, EMPTY, 0, 0);
                        channel.receive(2, EMPTY, 0, 0);
                        assertThatExceptionOfType(ChannelFailed.class)
                                .isThrownBy(channel::awaitAny)
                                .withMessageContaining("rank 2");
                    } else if (channel.rank() == 2) {
                        channel.close();
                    }
                });
    }

    @Test
    void singleRankHasNoTraffic() {
        Channel alone = joined(1).getFirst();

        assertThat(alone.rank()).isZero();
        assertThat(alone.size()).isEqualTo(1);
        assertThat(alone.bytesSent()).isZero();
    }

    @Test
    void countsEveryByteOfHeadersAndPayloads() {
        List<Channel> channels = joined(3);

        run(
                channels,
                channel -> {
                    int next = (channel.rank() + 1) % 3;
                    int previous = (channel.rank() + 2) % 3;
                    channel.exchange(next, pattern(0, 1000), previous, floats(1000));
                    channel.exchange(next, EMPTY, previous, EMPTY);
                });

        assertThat(channels).extracting(Channel::bytesSent).containsOnly(32L + 4000 + 32);
    }

    @Test
    void rejectsItselfAndUnknownRanksAsPeers() {
        Channel channel = joined(2).getFirst();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> channel.exchange(0, EMPTY, 1, EMPTY))
                .withMessageContaining("rank 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> channel.exchange(1, EMPTY, 2, EMPTY))
                .withMessageContaining("was 2");
    }

    @Test
    void rejectsAFrameOfAnotherLength() {
        List<String> reasons = new CopyOnWriteArrayList<>();

        run(
                joined(2),
                channel -> {
                    int peer = 1 - channel.rank();
                    assertThatExceptionOfType(ChannelFailed.class)
                            .isThrownBy(() -> channel.exchange(peer, floats(3), peer, floats(4)))
                            .satisfies(failure -> reasons.add(failure.getMessage()));
                });

        // The other rank may only see that its peer is gone.
        assertThat(reasons).anyMatch(reason -> reason.contains("must be 16, but was 12"));
    }

    @Test
    void closingFailsTheWaitingThread() {
        List<Channel> channels = joined(2);
        Channel waiting = channels.getFirst();
        var started = new CountDownLatch(1);

        run(
                channels,
                channel -> {
                    if (channel.rank() == 0) {
                        started.countDown();
                        assertExchangeFails(waiting);
                    } else {
                        started.await();
                        waiting.close();
                    }
                });
    }

    @Test
    void failsAtOnceWhenThePeerCloses() {
        List<Channel> channels = joined(2);
        var started = new CountDownLatch(1);

        run(
                channels,
                channel -> {
                    if (channel.rank() == 0) {
                        started.countDown();
                        assertExchangeFails(channel);
                    } else {
                        started.await();
                        channel.close();
                    }
                });
    }

    @Test
    void staysFailedOnceItHasFailed() {
        List<Channel> channels = joined(3);
        channels.get(1).close();

        assertExchangeFails(channels.get(0));

        assertThatExceptionOfType(ChannelFailed.class)
                .isThrownBy(() -> channels.get(0).exchange(2, EMPTY, 2, EMPTY));
    }

    @Test
    void survivorsGoOnWhenLossesAreTolerated() {
        assumeTrue(toleratesLosses(), "this channel loses all ranks at once");
        MemorySegment sent = filled(7);
        MemorySegment buffer = floats(3);

        run(
                joined(3),
                channel -> {
                    if (channel.rank() == 2) {
                        channel.close();
                        return;
                    }
                    channel.tolerateLosses();
                    int other = 1 - channel.rank();
                    MemorySegment received = floats(3);
                    channel.receive(2, buffer, 0, buffer.byteSize());
                    assertThat(channel.awaitReceivedOrLost(2)).isFalse();
                    assertThat(channel.isLost(2)).isTrue();
                    assertThat(channel.isLost(other)).isFalse();
                    assertThat(channel.hasLosses()).isTrue();
                    channel.send(2, PayloadType.PLAIN, sent, 0, sent.byteSize());
                    channel.awaitSent(2);
                    channel.receive(2, buffer, 0, buffer.byteSize());
                    assertThatExceptionOfType(ChannelFailed.class)
                            .isThrownBy(() -> channel.awaitReceived(2))
                            .withMessageContaining("has lost rank 2");
                    assertThatExceptionOfType(ChannelFailed.class)
                            .isThrownBy(() -> channel.receiveAtMost(2, buffer));
                    channel.exchange(other, sent, other, received);
                    assertThat(received.mismatch(sent)).isEqualTo(-1);
                });
    }

    @Test
    void framesOfALostPeerThatHaveArrivedAreDelivered() {
        assumeTrue(toleratesLosses(), "this channel loses all ranks at once");
        MemorySegment sent = filled(7);
        MemorySegment received = floats(3);

        run(
                joined(2),
                channel -> {
                    if (channel.rank() == 1) {
                        channel.send(0, PayloadType.PLAIN, sent, 0, sent.byteSize());
                        channel.awaitSent(0);
                        channel.close();
                        return;
                    }
                    channel.tolerateLosses();
                    channel.receive(1, received, 0, received.byteSize());
                    channel.receive(1, received, 0, received.byteSize());
                    assertThat(channel.awaitReceivedOrLost(1)).isTrue();
                    assertThat(received.mismatch(sent)).isEqualTo(-1);
                    assertThat(channel.awaitReceivedOrLost(1)).isFalse();
                });
    }

    @Test
    void awaitAnyReturnsALostRank() {
        assumeTrue(toleratesLosses(), "this channel loses all ranks at once");

        run(
                joined(3),
                channel -> {
                    if (channel.rank() == 2) {
                        channel.close();
                    } else if (channel.rank() == 0) {
                        channel.tolerateLosses();
                        channel.receive(1, EMPTY, 0, 0);
                        channel.receive(2, EMPTY, 0, 0);
                        assertThat(channel.awaitAny()).isEqualTo(2);
                        assertThat(channel.awaitReceivedOrLost(2)).isFalse();
                        channel.send(1, PayloadType.PLAIN, EMPTY, 0, 0);
                        channel.awaitSent(1);
                        assertThat(channel.awaitAny()).isEqualTo(1);
                        assertThat(channel.awaitReceivedOrLost(1)).isTrue();
                    } else {
                        channel.tolerateLosses();
                        channel.receive(0, EMPTY, 0, 0);
                        channel.awaitReceived(0);
                        channel.send(0, PayloadType.PLAIN, EMPTY, 0, 0);
                        channel.awaitSent(0);
                    }
                });
    }

    @Test
    void aPeerMarkedAsLostEndsTheWait() {
        assumeTrue(toleratesLosses(), "this channel loses all ranks at once");
        List<Channel> channels = joined(3);
        Channel waiting = channels.getFirst();
        var started = new CountDownLatch(1);
        var over = new CountDownLatch(1);

        run(
                channels,
                channel -> {
                    if (channel.rank() == 0) {
                        channel.tolerateLosses();
                        channel.receive(2, EMPTY, 0, 0);
                        started.countDown();
                        assertThat(channel.awaitReceivedOrLost(2)).isFalse();
                        over.countDown();
                    } else if (channel.rank() == 1) {
                        started.await();
                        waiting.lose(2);
                    } else {
                        over.await();
                    }
                });
    }

    @Test
    void withoutToleranceTheFirstLossFailsTheChannel() {
        List<Channel> channels = joined(3);

        channels.getFirst().lose(2);

        assertExchangeFails(channels.getFirst());
    }

    @Test
    void mayBeClosedTwice() {
        Channel channel = joined(2).getFirst();

        channel.close();
        channel.close();

        assertExchangeFails(channel);
    }

    @Test
    void passesManyFramesThatWerePostedAtOnce() {
        int frames = 100;
        run(
                joined(3),
                channel -> {
                    MemorySegment out = pattern(channel.rank(), frames);
                    MemorySegment in = floats(frames);
                    int next = (channel.rank() + 1) % 3;
                    int previous = (channel.rank() + 2) % 3;
                    for (int i = 0; i < frames; i++) {
                        channel.receive(previous, in, 4L * i, 4);
                        channel.send(next, PayloadType.PLAIN, out, 4L * i, 4);
                    }
                    for (int i = 0; i < frames; i++) {
                        channel.awaitReceived(previous);
                    }
                    channel.awaitSent(next);
                    assertThat(in.mismatch(pattern(previous, frames))).isEqualTo(-1);
                });
    }

    @Test
    void receiveAtMostReturnsContentAndLength() {
        var content = new PayloadType((byte) 7, (byte) 3, 1000);
        run(
                joined(2),
                channel -> {
                    int peer = 1 - channel.rank();
                    MemorySegment out = pattern(channel.rank(), 5 + channel.rank());
                    MemorySegment buffer = floats(10);
                    channel.send(peer, content, out, 0, out.byteSize());

                    Channel.Received received = channel.receiveAtMost(peer, buffer);
                    channel.awaitSent(peer);

                    assertThat(received).isEqualTo(new Channel.Received(content, 4L * (5 + peer)));
                    assertThat(
                                    buffer.asSlice(0, received.bytes())
                                            .mismatch(pattern(peer, 5 + peer)))
                            .isEqualTo(-1);
                });
    }

    @Test
    void rejectsAFrameLongerThanTheBuffer() {
        List<ChannelFailed> failures = new CopyOnWriteArrayList<>();

        run(
                joined(2),
                channel -> {
                    int peer = 1 - channel.rank();
                    channel.send(peer, PayloadType.PLAIN, floats(3), 0, 12);
                    assertThatExceptionOfType(ChannelFailed.class)
                            .isThrownBy(() -> channel.receiveAtMost(peer, floats(2)))
                            .satisfies(failures::add);
                });

        assertThat(failures)
                .anySatisfy(failure -> {
                    assertThat(failure).hasMessageContaining("at most 8, but was 12");
                    assertThat(failure.reason()).isEqualTo(ChannelFailed.Reason.BAD_FRAME);
                });
    }

    @Test
    void aShapedLinkTakesAtLeastItsTransferTimeAndDelay() {
        int floats = 250_000;
        run(
                joined(2),
                channel -> {
                    int peer = 1 - channel.rank();
                    channel.limit(peer, new LinkLimits(20e6, Duration.ofMillis(30)));
                    MemorySegment in = floats(floats);
                    long before = nanoTime(channel);

                    channel.exchange(peer, pattern(channel.rank(), floats), peer, in);

                    assertThat(Duration.ofNanos(nanoTime(channel) - before))
                            .isGreaterThanOrEqualTo(Duration.ofMillis(50 + 30));
                    assertThat(in.mismatch(pattern(peer, floats))).isEqualTo(-1);
                });
    }

    @Test
    void framesOnADelayedLinkTakeAtLeastTheDelay() {
        int frames = 50;
        run(
                joined(2),
                channel -> {
                    int peer = 1 - channel.rank();
                    channel.limit(
                            peer, new LinkLimits(Double.POSITIVE_INFINITY, Duration.ofMillis(100)));
                    MemorySegment memory = floats(frames);
                    long before = nanoTime(channel);
                    for (int i = 0; i < frames; i++) {
                        channel.receive(peer, floats(1), 0, 4);
                        channel.send(peer, PayloadType.PLAIN, memory, 4L * i, 4);
                    }
                    for (int i = 0; i < frames; i++) {
                        channel.awaitReceived(peer);
                    }
                    channel.awaitSent(peer);
                    assertThat(Duration.ofNanos(nanoTime(channel) - before))
                            .isGreaterThanOrEqualTo(Duration.ofMillis(100));
                });
    }

    private static void assertExchangeFails(Channel channel) {
        int peer = channel.rank() == 0 ? 1 : 0;
        assertThatExceptionOfType(ChannelFailed.class)
                .isThrownBy(() -> channel.exchange(peer, EMPTY, peer, floats(1)))
                .withMessageContaining("frame 1")
                .withMessageContaining("rank 0")
                .withMessageContaining("rank 1");
    }

    private List<Channel> joined(int size) {
        List<Channel> channels = join(size);
        opened.addAll(channels);
        return channels;
    }

    static MemorySegment floats(int count) {
        return Arena.ofAuto().allocate(ValueLayout.JAVA_FLOAT, count);
    }

    static MemorySegment pattern(int seed, int count) {
        MemorySegment segment = floats(count);
        for (int i = 0; i < count; i++) {
            segment.setAtIndex(ValueLayout.JAVA_FLOAT, i, seed * 31 + i % 1009);
        }
        return segment;
    }

    private static MemorySegment filled(float value) {
        MemorySegment floats = floats(3);
        for (int i = 0; i < 3; i++) {
            floats.setAtIndex(ValueLayout.JAVA_FLOAT, i, value);
        }
        return floats;
    }
}
