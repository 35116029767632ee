package dev.equipoise.agent.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What every channel promises. */
@Timeout(30)
abstract class ChannelContract {

    private static final MemorySegment EMPTY = MemorySegment.NULL;

    private final List<Channel> opened = new ArrayList<>();

    /** The channels of all ranks, in their order. */
    abstract List<Channel> join(int size);

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
    void passesSegmentsAroundARing(int size, int floats) {
        TestingRanks.run(
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
    void takesDifferentLengthsInBothDirections() {
        TestingRanks.run(
                joined(2),
                channel -> {
                    int peer = 1 - channel.rank();
                    MemorySegment in = floats(7 * peer);
                    channel.exchange(peer, pattern(1, 7 * channel.rank()), peer, in);
                    assertThat(in.mismatch(pattern(1, 7 * peer))).isEqualTo(-1);
                });
    }

    @Test
    void passes16MegabytesBothWaysAtOnce() {
        int floats = 4 << 20;
        TestingRanks.run(
                joined(2),
                channel -> {
                    int peer = 1 - channel.rank();
                    MemorySegment in = floats(floats);
                    channel.exchange(peer, pattern(channel.rank(), floats), peer, in);
                    assertThat(in.mismatch(pattern(peer, floats))).isEqualTo(-1);
                });
    }

    @Test
    void takesBytesThatAreNoFloats() {
        TestingRanks.run(
                joined(2),
                channel -> {
                    MemorySegment in = floats(2).asSlice(0, 5);
                    MemorySegment out = pattern(3, 2).asSlice(0, 5);
                    channel.exchange(1 - channel.rank(), out, 1 - channel.rank(), in);
                    assertThat(in.mismatch(out)).isEqualTo(-1);
                });
    }

    @Test
    void knowsThatARankIsAlone() {
        Channel alone = joined(1).getFirst();

        assertThat(alone.rank()).isZero();
        assertThat(alone.size()).isEqualTo(1);
        assertThat(alone.bytesSent()).isZero();
    }

    @Test
    void countsEveryByteOfHeadersAndPayloads() {
        List<Channel> channels = joined(3);

        TestingRanks.run(
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
    void refusesItselfAndStrangersAsPeers() {
        Channel channel = joined(2).getFirst();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> channel.exchange(0, EMPTY, 1, EMPTY))
                .withMessageContaining("rank 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> channel.exchange(1, EMPTY, 2, EMPTY))
                .withMessageContaining("was 2");
    }

    @Test
    void refusesAnotherLengthThanTheExpectedOne() {
        List<String> reasons = new CopyOnWriteArrayList<>();

        TestingRanks.run(
                joined(2),
                channel -> {
                    int peer = 1 - channel.rank();
                    assertThatExceptionOfType(ChannelFailed.class)
                            .isThrownBy(() -> channel.exchange(peer, floats(3), peer, floats(4)))
                            .satisfies(failure -> reasons.add(failure.getMessage()));
                });

        // The other one may see no more than that its peer has gone.
        assertThat(reasons).anyMatch(reason -> reason.contains("must be 16, but was 12"));
    }

    @Test
    void closingFailsTheThreadThatWaits() {
        List<Channel> channels = joined(2);
        Channel waiting = channels.getFirst();
        var started = new CountDownLatch(1);

        TestingRanks.run(
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
    void failsAtOnceWhenThePeerDies() {
        List<Channel> channels = joined(2);
        var started = new CountDownLatch(1);

        TestingRanks.run(
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
    void mayBeClosedTwice() {
        Channel channel = joined(2).getFirst();

        channel.close();
        channel.close();

        assertExchangeFails(channel);
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
}
