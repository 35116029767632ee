package dev.equipoise.agent.virtual;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.MemoryChannel;
import dev.equipoise.agent.channel.TestingRanks;
import dev.equipoise.agent.collective.AllReduces;
import dev.equipoise.agent.gossip.Mixing;
import dev.equipoise.agent.gossip.NeighborExchange;
import dev.equipoise.agent.gossip.Schedule;
import dev.equipoise.agent.server.Mode;
import dev.equipoise.agent.server.ParameterServer;
import dev.equipoise.agent.server.RemoteParameters;
import dev.equipoise.agent.server.Roles;
import dev.equipoise.agent.server.ServerConfiguration;
import dev.equipoise.agent.server.Sharding;
import dev.equipoise.agent.time.SystemTime;
import dev.equipoise.agent.time.Time;
import dev.equipoise.protocol.Topology.Algorithm;
import dev.equipoise.testing.Patience;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** All algorithms run on a virtual channel, and compute the same bits as on other channels. */
@Timeout(Patience.SECONDS)
class VirtualAlgorithmsTest {

    /** More than one segment, and no multiple of the segment or block size. */
    private static final int LENGTH = 70_001;

    private static final LinkModel LINKS = LinkModel.uniform(50_000, 0.1);

    /** The program of one rank, which changes its vector. */
    private interface Rank {
        void run(Channel channel, Time time, MemorySegment vector);
    }

    private static Stream<Arguments> algorithmsAndRanks() {
        return Arrays.stream(Algorithm.values())
                .filter(algorithm -> algorithm != Algorithm.AUTO)
                .flatMap(algorithm ->
                        IntStream.of(1, 2, 3, 5, 8)
                                .mapToObj(ranks -> Arguments.of(algorithm, ranks)));
    }

    @ParameterizedTest(name = "{0}, {1} ranks")
    @MethodSource("algorithmsAndRanks")
    void allReducesGiveEqualBits(Algorithm algorithm, int ranks) {
        assertEqualBits(ranks, VirtualAlgorithmsTest::random, allReduce(algorithm));
    }

    /** The chosen algorithm may differ; integers have equal sums in any order. */
    @ParameterizedTest(name = "{0} ranks")
    @ValueSource(ints = {2, 5})
    void algorithmSelectionWorksInVirtualTime(int ranks) {
        assertEqualBits(ranks, VirtualAlgorithmsTest::integers, allReduce(Algorithm.AUTO));
    }

    private static Rank allReduce(Algorithm algorithm) {
        return (channel, time, vector) -> {
            try (Arena memory = Arena.ofShared()) {
                AllReduces.of(algorithm, channel, LENGTH, time, memory).sum(vector);
            }
        };
    }

    private static Stream<Schedule> schedules() {
        return Stream.of(
                new Schedule.Linear(false),
                new Schedule.Dissemination(),
                new Schedule.Fixed(1),
                new Schedule.RandomMatching(5));
    }

    @ParameterizedTest
    @MethodSource("schedules")
    void gossipGivesEqualBits(Schedule schedule) {
        assertEqualBits(
                6,
                VirtualAlgorithmsTest::random,
                (channel, _, vector) -> {
                    var neighbors =
                            new NeighborExchange(
                                    channel,
                                    schedule,
                                    new Mixing.Uniform(),
                                    LENGTH,
                                    Arena.ofAuto());
                    for (int exchange = 0; exchange < 10; exchange++) {
                        neighbors.mix(vector, exchange);
                    }
                });
    }

    @ParameterizedTest
    @EnumSource
    void aParameterServerGivesEqualBits(Mode.Aggregate aggregate) {
        assertEqualBits(
                6,
                VirtualAlgorithmsTest::random,
                (channel, _, vector) ->
                        train(channel, new Roles(2, 6), new Mode.Synchronous(aggregate), vector));
    }

    private static void train(Channel channel, Roles roles, Mode mode, MemorySegment vector) {
        Sharding sharding = Sharding.byBytes(LENGTH, roles.servers());
        if (roles.isServer(channel.rank())) {
            new ParameterServer(
                            channel,
                            new ServerConfiguration(roles, sharding, mode),
                            (_, weights, gradient, _) -> descend(weights, gradient),
                            random(99),
                            Arena.ofAuto())
                    .serve();
            return;
        }
        var parameters =
                new RemoteParameters(
                        channel, new ServerConfiguration(roles, sharding, mode), Arena.ofAuto());
        for (int round = 0; round < 3; round++) {
            parameters.exchange(vector, vector);
        }
        parameters.pause();
    }

    private static boolean descend(MemorySegment weights, MemorySegment gradient) {
        for (long i = 0; i < weights.byteSize() / Float.BYTES; i++) {
            float step = 0.1f * gradient.getAtIndex(JAVA_FLOAT, i);
            weights.setAtIndex(JAVA_FLOAT, i, weights.getAtIndex(JAVA_FLOAT, i) - step);
        }
        return true;
    }

    private static void assertEqualBits(int ranks, IntFunction<MemorySegment> input, Rank rank) {
        List<MemorySegment> real = IntStream.range(0, ranks).mapToObj(input).toList();
        var time = new SystemTime();
        TestingRanks.run(
                MemoryChannel.join(ranks),
                channel -> rank.run(channel, time, real.get(channel.rank())));

        List<MemorySegment> virtual = IntStream.range(0, ranks).mapToObj(input).toList();
        try (var cluster = new VirtualCluster(ranks, LINKS, 1)) {
            TestingBodies.run(
                    cluster,
                    channel ->
                            rank.run(
                                    channel,
                                    cluster.time(channel.rank()),
                                    virtual.get(channel.rank())));
        }

        for (int i = 0; i < ranks; i++) {
            assertThat(virtual.get(i).mismatch(real.get(i))).as("rank %d", i).isEqualTo(-1);
        }
    }

    private static MemorySegment random(int seed) {
        var random = new SplittableRandom(seed);
        MemorySegment vector = Arena.ofAuto().allocate(JAVA_FLOAT, LENGTH);
        for (int i = 0; i < LENGTH; i++) {
            vector.setAtIndex(JAVA_FLOAT, i, (float) random.nextDouble(-1, 1));
        }
        return vector;
    }

    private static MemorySegment integers(int seed) {
        var random = new SplittableRandom(seed);
        MemorySegment vector = Arena.ofAuto().allocate(JAVA_FLOAT, LENGTH);
        for (int i = 0; i < LENGTH; i++) {
            vector.setAtIndex(JAVA_FLOAT, i, random.nextInt(-1000, 1001));
        }
        return vector;
    }
}
