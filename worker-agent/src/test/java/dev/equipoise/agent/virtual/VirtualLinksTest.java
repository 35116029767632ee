package dev.equipoise.agent.virtual;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.FrameHeader;
import dev.equipoise.agent.channel.LinkLimits;
import dev.equipoise.agent.channel.PayloadType;
import dev.equipoise.agent.collective.RingAllReduce;
import dev.equipoise.agent.link.LinkCost;
import dev.equipoise.agent.link.LinkMatrix;
import dev.equipoise.agent.link.RankPair;
import dev.equipoise.testing.Patience;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The virtual times of exchanges, to the nanosecond. */
@Timeout(Patience.SECONDS)
class VirtualLinksTest {

    private static final long ALPHA = 5000;
    private static final double BETA = 2;
    private static final long BYTES = 1000;

    /** Nanoseconds for which one such frame, header included, occupies a port. */
    private static final long BUSY = 2 * (FrameHeader.BYTES + BYTES);

    private static final MemorySegment MEMORY = Arena.global().allocate(BYTES);

    @Test
    void aPingTakesAlphaPlusBetaPerByte() {
        assertThat(
                        clocks(
                                2,
                                channel -> {
                                    if (channel.rank() == 0) {
                                        send(channel, 1);
                                        receive(channel, 1);
                                    } else {
                                        receive(channel, 0);
                                        send(channel, 0);
                                    }
                                }))
                .containsExactly(2 * (ALPHA + BUSY), ALPHA + 2 * BUSY);
    }

    @Test
    void bothDirectionsMoveAtOnce() {
        assertThat(clocks(2, channel -> exchange(channel, 1 - channel.rank())))
                .containsExactly(ALPHA + BUSY, ALPHA + BUSY);
    }

    @Test
    void framesLeaveASenderOneAfterTheOther() {
        assertThat(
                        clocks(
                                4,
                                channel -> {
                                    if (channel.rank() == 0) {
                                        IntStream.of(3, 1, 2).forEach(to -> post(channel, to));
                                    } else {
                                        receive(channel, 0);
                                    }
                                }))
                .containsExactly(0L, ALPHA + 2 * BUSY, ALPHA + 3 * BUSY, ALPHA + BUSY);
    }

    @Test
    void framesReachAReceiverOneAfterTheOther() {
        List<Long> arrivals = new ArrayList<>();
        clocks(
                5,
                (cluster, channel) -> {
                    if (channel.rank() > 0) {
                        send(channel, 0);
                        return;
                    }
                    for (int from = 1; from < 5; from++) {
                        channel.receive(from, buffer(), 0, BYTES);
                    }
                    for (int i = 1; i < 5; i++) {
                        int from = channel.awaitAny();
                        channel.awaitReceived(from);
                        assertThat(from).isEqualTo(i);
                        arrivals.add(cluster.time(0).nanoTime());
                    }
                });

        assertThat(arrivals)
                .containsExactly(
                        ALPHA + BUSY, ALPHA + 2 * BUSY, ALPHA + 3 * BUSY, ALPHA + 4 * BUSY);
    }

    /**
     * A frame that was sent first over a slow link does not delay a later frame that arrives
     * earlier.
     */
    @Test
    void awaitAnyReturnsFramesInTheOrderOfArrival() {
        LinkModel links = (from, _) -> new LinkSpeed(from == 1 ? 1_000_000 : 10, BETA);
        List<Integer> order = new ArrayList<>();
        try (var cluster = new VirtualCluster(3, links, 1)) {
            TestingBodies.run(
                    cluster,
                    channel -> {
                        if (channel.rank() == 0) {
                            channel.receive(1, buffer(), 0, BYTES);
                            channel.receive(2, buffer(), 0, BYTES);
                            order.add(receiveAny(channel));
                            order.add(receiveAny(channel));
                        } else {
                            cluster.time(channel.rank()).sleep(channel.rank() == 1 ? 0 : 500);
                            send(channel, 0);
                        }
                    });
            assertThat(cluster.time(0).nanoTime()).isEqualTo(1_000_000 + BUSY);
        }
        assertThat(order).containsExactly(2, 1);
    }

    private static int receiveAny(Channel channel) {
        int from = channel.awaitAny();
        channel.awaitReceived(from);
        return from;
    }

    /** Rank 2 sends at a time that rank 0 has long passed in the order of execution. */
    @Test
    void awaitAnyFollowsVirtualTime() {
        List<Integer> order = new ArrayList<>();
        clocks(
                3,
                (cluster, channel) -> {
                    if (channel.rank() == 0) {
                        cluster.time(0).sleep(1_000_000);
                        channel.receive(1, buffer(), 0, BYTES);
                        channel.receive(2, buffer(), 0, BYTES);
                        cluster.time(0).sleep(1_000_000);
                        order.add(receiveAny(channel));
                        order.add(receiveAny(channel));
                    } else {
                        cluster.time(channel.rank())
                                .sleep(channel.rank() == 1 ? 1_500_000 : 1_200_000);
                        send(channel, 0);
                    }
                });

        assertThat(order).containsExactly(2, 1);
    }

    /**
     * Two frames of rank 1 have arrived when rank 0 polls, but the buffer for the second one is
     * new.
     */
    @Test
    void awaitAnyReturnsTheBufferFilledFirst() {
        List<Integer> order = new ArrayList<>();
        clocks(
                3,
                (cluster, channel) -> {
                    switch (channel.rank()) {
                        case 0 -> {
                            channel.receive(2, buffer(), 0, BYTES);
                            receive(channel, 1);
                            cluster.time(0).sleep(1_000_000);
                            channel.receive(1, buffer(), 0, BYTES);
                            order.add(receiveAny(channel));
                            order.add(receiveAny(channel));
                        }
                        case 1 -> {
                            post(channel, 0);
                            post(channel, 0);
                        }
                        default -> {
                            cluster.time(2).sleep(500_000);
                            post(channel, 0);
                        }
                    }
                });

        assertThat(order).containsExactly(2, 1);
    }

    /** Rank 0 closes first in the order of execution, but later in virtual time. */
    @Test
    void aFrameBeforeACloseIsReceived() {
        List<Integer> order = new ArrayList<>();
        clocks(
                3,
                (cluster, channel) -> {
                    switch (channel.rank()) {
                        case 0 -> {
                            cluster.time(0).sleep(1_000_000);
                            channel.close();
                        }
                        case 1 -> {
                            channel.receive(0, buffer(), 0, BYTES);
                            channel.receive(2, buffer(), 0, BYTES);
                            order.add(receiveAny(channel));
                        }
                        default -> post(channel, 1);
                    }
                });

        assertThat(order).containsExactly(2);
    }

    @Test
    void awaitSentTakesAsLongAsThePortIsOccupied() {
        assertThat(
                        clocks(
                                2,
                                channel -> {
                                    if (channel.rank() == 0) {
                                        post(channel, 1);
                                        post(channel, 1);
                                        channel.awaitSent(1);
                                    }
                                }))
                .containsExactly(2 * BUSY, 0L);
    }

    @Test
    void aLimitIsASeparateBottleneckAndADelay() {
        var limits = new LinkLimits(1e6, Duration.ofNanos(700));
        long bottleneck = 1000 * (FrameHeader.BYTES + BYTES);
        assertThat(
                        clocks(
                                3,
                                channel -> {
                                    if (channel.rank() == 0) {
                                        channel.limit(1, limits);
                                        post(channel, 1);
                                        post(channel, 1);
                                        post(channel, 2);
                                        channel.awaitSent(1);
                                    } else {
                                        receive(channel, 0);
                                    }
                                }))
                .containsExactly(
                        2 * bottleneck + 700 + BUSY,
                        bottleneck + 700 + ALPHA + BUSY,
                        ALPHA + 3 * BUSY);
    }

    @ParameterizedTest(name = "{0} ranks, {1} elements each")
    @CsvSource({"2, 1", "3, 100", "8, 1000", "13, 7"})
    void aRingTakesTheTimeOfItsFormula(int ranks, int elements) {
        assertThat(clocks(ranks, channel -> allReduce(channel, (long) ranks * elements)))
                .hasSize(ranks)
                .containsOnly(
                        2L * (ranks - 1) * (ALPHA + 2L * (FrameHeader.BYTES + 4L * elements)));
    }

    @Test
    void aRingOf512RanksTakesTheTimeOfItsFormula() {
        assertThat(clocks(512, channel -> allReduce(channel, 512)))
                .hasSize(512)
                .containsOnly(2L * 511 * (ALPHA + 2L * (FrameHeader.BYTES + 4)));
    }

    private static void allReduce(Channel channel, long elements) {
        try (Arena memory = Arena.ofShared()) {
            MemorySegment vector = memory.allocate(JAVA_FLOAT, elements);
            for (int i = 0; i < elements; i++) {
                vector.setAtIndex(JAVA_FLOAT, i, 1 + channel.rank());
            }
            new RingAllReduce(channel, memory).sum(vector);
            float sum = channel.size() * (channel.size() + 1) / 2f;
            assertThat(vector.getAtIndex(JAVA_FLOAT, 0)).isEqualTo(sum);
            assertThat(vector.getAtIndex(JAVA_FLOAT, elements - 1)).isEqualTo(sum);
        }
    }

    @Test
    void usesMeasuredLinks() {
        LinkModel links =
                LinkModel.of(
                        new LinkMatrix(2, Map.of(new RankPair(0, 1), new LinkCost(1e-5, 2e-9, 0))));

        assertThat(links.speed(1, 0)).isEqualTo(new LinkSpeed(10_000, 2));
    }

    @Test
    void rejectsNegativeAndInvalidLinkSpeeds() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LinkSpeed(-1, 1))
                .withMessage("the latency must not be negative, but was -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LinkSpeed(1, Double.NaN))
                .withMessageContaining("but were NaN");
    }

    /** The body of one rank. */
    private interface Body {
        void run(VirtualCluster cluster, Channel channel);
    }

    /** Returns the final clocks of all ranks, in nanoseconds. */
    private static List<Long> clocks(int ranks, Body body) {
        try (var cluster = new VirtualCluster(ranks, LinkModel.uniform(ALPHA, BETA), 1)) {
            return TestingBodies.call(
                    cluster,
                    channel -> {
                        body.run(cluster, channel);
                        return cluster.time(channel.rank()).nanoTime();
                    });
        }
    }

    private static List<Long> clocks(int ranks, Consumer<Channel> body) {
        return clocks(ranks, (_, channel) -> body.accept(channel));
    }

    private static void post(Channel channel, int to) {
        channel.send(to, PayloadType.PLAIN, MEMORY, 0, BYTES);
    }

    private static void send(Channel channel, int to) {
        post(channel, to);
        channel.awaitSent(to);
    }

    private static void receive(Channel channel, int from) {
        channel.receive(from, buffer(), 0, BYTES);
        channel.awaitReceived(from);
    }

    private static void exchange(Channel channel, int peer) {
        channel.exchange(peer, MEMORY, peer, buffer());
    }

    private static MemorySegment buffer() {
        return Arena.ofAuto().allocate(BYTES);
    }
}
