package dev.equipoise.agent.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.ChannelFailed;
import dev.equipoise.agent.channel.LinkLimits;
import dev.equipoise.agent.channel.MemoryChannel;
import dev.equipoise.agent.channel.PayloadType;
import dev.equipoise.agent.channel.TestingRanks;
import dev.equipoise.agent.time.SystemTime;
import dev.equipoise.agent.time.TestingTime;
import dev.equipoise.agent.virtual.LinkModel;
import dev.equipoise.agent.virtual.VirtualCluster;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class LinkBenchmarkTest {

    private static final LinkPlan SMALL =
            new LinkPlan(List.of(1_024L, 16_384L, 262_144L, 1_048_576L), Duration.ofMillis(500), 5);

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 8})
    void allRanksGetTheCostOfEveryLink(int ranks) {
        Map<RankPair, LinkCost> costs = differentCosts(ranks);

        List<LinkMatrix> found = measured(ranks, costs, new ConcurrentLinkedQueue<>());

        assertThat(found).hasSize(ranks).containsOnly(found.getFirst());
        costs.forEach(
                (pair, cost) -> assertClose(found.getFirst().cost(pair.high(), pair.low()), cost));
    }

    /** Compares costs with the tolerance of a clock of whole nanoseconds. */
    private static void assertClose(LinkCost actual, LinkCost expected) {
        assertThat(actual.alpha()).isCloseTo(expected.alpha(), within(2e-9));
        assertThat(actual.beta()).isCloseTo(expected.beta(), withinPercentage(0.1));
        assertThat(actual.relativeError()).isLessThan(1e-3);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 6, 7})
    void noRankIsInTwoMeasurementsAtOnce(int ranks) {
        Queue<RankPair> sent = new ConcurrentLinkedQueue<>();

        measured(ranks, differentCosts(ranks), sent);

        // All frames of a round were sent before the first of the next round.
        List<RankPair> frames = List.copyOf(sent);
        int end = 0;
        for (List<RankPair> round : RoundRobinTournament.rounds(ranks)) {
            int begin = end;
            while (end < frames.size() && round.contains(frames.get(end))) {
                end++;
            }
            assertThat(frames.subList(begin, end)).containsAll(round);
        }
        assertThat(end).isEqualTo(frames.size());
    }

    @Test
    void skipsSizesAboveTheBudget() {
        var cost = new LinkCost(1e-3, 1e-6, 0);
        Queue<RankPair> sent = new ConcurrentLinkedQueue<>();

        List<LinkMatrix> found = measured(2, Map.of(new RankPair(0, 1), cost), sent);

        assertClose(found.getFirst().cost(0, 1), cost);
        // Round trips: 3 and 123 warm-ups, since 500 ms allow 123 at 4.05 ms; 5 of 1 KiB; 5 of 16
        // KiB. Three of 256 KiB would take 1.6 s.
        assertThat(sent).hasSize(2 * (3 + 123 + 5 + 5));
    }

    @Test
    void finishesOnALinkThatIsTooSlowForAnySize() {
        var cost = new LinkCost(10, 1e-3, 0);

        List<LinkMatrix> found =
                measured(2, Map.of(new RankPair(0, 1), cost), new ConcurrentLinkedQueue<>());

        assertClose(found.getFirst().cost(0, 1), cost);
    }

    @Test
    void findsTheLimitedLink() {
        var limits = new LinkLimits(20e6, Duration.ofMillis(5));
        try (var cluster = new VirtualCluster(3, LinkModel.uniform(1000, 0.1), 1)) {
            List<Callable<LinkMatrix>> ranks =
                    cluster.channels().stream()
                            .map(channel ->
                                    (Callable<LinkMatrix>)
                                            () -> {
                                                if (channel.rank() > 0) {
                                                    channel.limit(3 - channel.rank(), limits);
                                                }
                                                return new LinkBenchmark(
                                                                channel,
                                                                SMALL,
                                                                cluster.time(channel.rank()),
                                                                Arena.ofAuto())
                                                        .measure();
                                            })
                            .toList();

            List<LinkMatrix> found = cluster.run(ranks);

            assertThat(found).hasSize(3).containsOnly(found.getFirst());
            LinkCost slow = found.getFirst().cost(1, 2);
            assertThat(slow.alpha()).isCloseTo(5e-3, withinPercentage(1));
            assertThat(slow.bytesPerSecond()).isCloseTo(20e6, withinPercentage(1));
            assertThat(found.getFirst().cost(0, 1).alpha()).isCloseTo(1e-6, withinPercentage(10));
            assertThat(found.getFirst().ringOrder(1 << 20)).hasSize(3);
        }
    }

    @Test
    void everySampleTakesAtLeastWhatTheLimitEnforces() {
        var limits = new LinkLimits(20e6, Duration.ofMillis(5));
        List<LinkSample> samples = new CopyOnWriteArrayList<>();

        TestingRanks.run(
                MemoryChannel.join(2),
                channel -> {
                    int peer = 1 - channel.rank();
                    channel.limit(peer, limits);
                    var pingPong = new PingPong(channel, SMALL, new SystemTime(), Arena.ofAuto());
                    if (channel.rank() == 0) {
                        samples.addAll(pingPong.lead(peer));
                    } else {
                        pingPong.follow(peer);
                    }
                });

        assertThat(samples).hasSizeGreaterThanOrEqualTo(2);
        assertThat(samples)
                .allSatisfy(sample ->
                        assertThat(sample.seconds())
                                .isGreaterThanOrEqualTo(5e-3 + sample.bytes() / 20e6));
    }

    @Test
    void rejectsMessagesLongerThanItsOwnPlan() {
        var larger = new LinkPlan(List.of(1_024L, 4_194_304L), Duration.ofMillis(500), 5);

        TestingRanks.run(
                MemoryChannel.join(2),
                channel -> {
                    if (channel.rank() == 0) {
                        var leader =
                                new PingPong(channel, larger, new SystemTime(), Arena.ofAuto());
                        assertThatExceptionOfType(ChannelFailed.class)
                                .isThrownBy(() -> leader.lead(1));
                    } else {
                        assertRejects(channel);
                    }
                });
    }

    private static Stream<Arguments> invalidAnnouncements() {
        return Stream.of(
                Arguments.of(Long.MAX_VALUE, 3L),
                Arguments.of(-1L, 3L),
                Arguments.of(Long.MIN_VALUE, Long.MAX_VALUE),
                Arguments.of(1_024L, -1L));
    }

    @ParameterizedTest
    @MethodSource("invalidAnnouncements")
    void rejectsInvalidAnnouncements(long bytes, long roundTrips) {
        TestingRanks.run(
                MemoryChannel.join(2),
                channel -> {
                    if (channel.rank() == 0) {
                        send(channel, bytes, roundTrips);
                        send(channel, 0, 0);
                        assertThatExceptionOfType(ChannelFailed.class)
                                .isThrownBy(() -> channel.awaitSent(1));
                    } else {
                        assertRejects(channel);
                    }
                });
    }

    /** Sends an announcement in its wire format: little-endian on all hosts. */
    private static void send(Channel channel, long bytes, long roundTrips) {
        MemorySegment announcement = Arena.ofAuto().allocate(16);
        announcement
                .asByteBuffer()
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(bytes)
                .putLong(roundTrips);
        channel.send(1, PayloadType.PLAIN, announcement, 0, 16);
    }

    private static void assertRejects(Channel channel) {
        var follower = new PingPong(channel, SMALL, new SystemTime(), Arena.ofAuto());
        assertThatExceptionOfType(ChannelFailed.class)
                .isThrownBy(() -> follower.follow(0))
                .returns(ChannelFailed.Reason.BAD_FRAME, ChannelFailed::reason);
        assertThatExceptionOfType(ChannelFailed.class)
                .isThrownBy(() -> follower.follow(0))
                .returns(ChannelFailed.Reason.CLOSED, ChannelFailed::reason);
    }

    @Test
    void failsWhenARankIsLost() {
        List<Channel> channels = MemoryChannel.join(3);
        channels.getLast().close();

        TestingRanks.run(
                channels.subList(0, 2),
                channel ->
                        assertThatExceptionOfType(ChannelFailed.class)
                                .isThrownBy(() ->
                                        new LinkBenchmark(
                                                        channel,
                                                        SMALL,
                                                        new SystemTime(),
                                                        Arena.ofAuto())
                                                .measure()));
    }

    @Test
    void plansSizesFromOneKibibyteToSixtyFourMebibytes() {
        assertThat(LinkPlan.DEFAULT.sizes())
                .hasSize(9)
                .startsWith(1_024L, 4_096L)
                .endsWith(16L << 20, 64L << 20);
    }

    @Test
    void rejectsAPlanWithoutALine() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LinkPlan(List.of(4L, 4L), Duration.ofSeconds(1), 5))
                .withMessage("sizes must be two or more, positive and rising, but were [4, 4]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LinkPlan(List.of(1L, 2L), Duration.ZERO, 5))
                .withMessage("the budget must be positive, but was PT0S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LinkPlan(List.of(1L, 2L), Duration.ofSeconds(1), 2))
                .withMessage("there must be at least 3 round trips, but the plan has 2");
    }

    private static List<LinkMatrix> measured(
            int ranks, Map<RankPair, LinkCost> costs, Queue<RankPair> sent) {
        var matrix = new LinkMatrix(ranks, costs);
        List<Channel> channels = new ArrayList<>();
        List<TestingTime> times = new ArrayList<>();
        for (Channel channel : MemoryChannel.join(ranks)) {
            var time = new TestingTime();
            times.add(time);
            channels.add(new ModeledChannel(channel, matrix, time, sent));
        }
        List<LinkMatrix> found = new CopyOnWriteArrayList<>();
        TestingRanks.run(
                channels,
                channel ->
                        found.add(
                                new LinkBenchmark(
                                                channel,
                                                SMALL,
                                                times.get(channel.rank()),
                                                Arena.ofAuto())
                                        .measure()));
        return found;
    }

    /** Returns costs that differ for all links. */
    private static Map<RankPair, LinkCost> differentCosts(int ranks) {
        Map<RankPair, LinkCost> costs = new HashMap<>();
        for (int low = 0; low < ranks; low++) {
            for (int high = low + 1; high < ranks; high++) {
                double factor = 1 + low + 0.1 * high;
                costs.put(new RankPair(low, high), new LinkCost(20e-6 * factor, 1e-8 * factor, 0));
            }
        }
        return costs;
    }
}
