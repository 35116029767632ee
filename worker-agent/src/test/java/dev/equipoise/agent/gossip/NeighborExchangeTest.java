package dev.equipoise.agent.gossip;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.agent.AllocationTrials;
import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.ChannelFailed;
import dev.equipoise.agent.channel.MemoryChannel;
import dev.equipoise.agent.channel.TestingRanks;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class NeighborExchangeTest {

    /** Three segments, the last of them not full. */
    private static final int LENGTH = 70_001;

    private static Stream<Arguments> schedulesAndRanks() {
        return IntStream.of(1, 2, 3, 5, 8)
                .boxed()
                .flatMap(ranks ->
                        Stream.of(
                                        new Schedule.Linear(false),
                                        new Schedule.Linear(true),
                                        new Schedule.Dissemination(),
                                        new Schedule.Fixed(1),
                                        new Schedule.RandomMatching(42),
                                        new Schedule.Ordered(
                                                new Schedule.Dissemination(), outsideIn(ranks)))
                                .map(schedule -> Arguments.of(schedule, ranks)));
    }

    /** 0, P - 1, 1, P - 2, ... */
    private static List<Integer> outsideIn(int ranks) {
        return IntStream.range(0, ranks)
                .mapToObj(position -> position % 2 == 0 ? position / 2 : ranks - 1 - position / 2)
                .toList();
    }

    @ParameterizedTest(name = "{0}, {1} ranks")
    @MethodSource("schedulesAndRanks")
    void mixesByTheMixingMatrix(Schedule schedule, int ranks) {
        List<Long> samples = samples(ranks);
        for (Mixing mixing :
                List.of(
                        new Mixing.Uniform(),
                        new Mixing.Metropolis(samples),
                        new Mixing.PushSum())) {
            List<MemorySegment> vectors = vectors(ranks, LENGTH);
            double[][] before = elements(vectors, LENGTH);

            exchange(vectors, schedule, mixing, 3, 1);

            double[][] matrix = MixingMatrix.of(schedule, mixing, ranks, 3);
            double[][] after = elements(vectors, LENGTH);
            for (int rank = 0; rank < ranks; rank++) {
                assertClose(after[rank], row(matrix[rank], before), 4 * 0x1p-24);
            }
        }
    }

    @ParameterizedTest(name = "{0}, {1} ranks")
    @MethodSource("schedulesAndRanks")
    void uniformMixingConvergesToTheMean(Schedule schedule, int ranks) {
        List<MemorySegment> vectors = vectors(ranks, 1000);
        double[] mean = mean(elements(vectors, 1000), _ -> 1);

        exchange(vectors, schedule, new Mixing.Uniform(), 0, 400);

        assertAllClose(vectors, mean);
    }

    @ParameterizedTest(name = "{0}, {1} ranks")
    @MethodSource("schedulesAndRanks")
    void metropolisConvergesToTheMeanBySamples(Schedule schedule, int ranks) {
        List<Long> samples = samples(ranks);
        List<MemorySegment> vectors = vectors(ranks, 1000);
        double[] mean = mean(elements(vectors, 1000), samples::get);

        exchange(vectors, schedule, new Mixing.Metropolis(samples), 0, 400);

        assertAllClose(vectors, mean);
    }

    @ParameterizedTest(name = "{0}, {1} ranks")
    @MethodSource("schedulesAndRanks")
    void pushSumConvergesToTheMeanByMass(Schedule schedule, int ranks) {
        List<Long> samples = samples(ranks);
        double total = samples.stream().mapToLong(Long::longValue).sum();
        List<MemorySegment> values = vectors(ranks, 1000);
        double[] mean = mean(elements(values, 1000), samples::get);
        List<PushSumVector> vectors = pushSumVectors(ranks, 1000);

        TestingRanks.run(
                MemoryChannel.join(ranks),
                channel -> {
                    int rank = channel.rank();
                    PushSumVector vector = vectors.get(rank);
                    vector.begin(values.get(rank), (float) (ranks * samples.get(rank) / total));
                    var neighbors = neighbors(channel, schedule, new Mixing.PushSum(), 1001);
                    for (int exchange = 0; exchange < 400; exchange++) {
                        vector.mix(neighbors, exchange);
                    }
                    vector.estimate(values.get(rank));
                });

        assertAllClose(values, mean);
        assertThat(vectors.stream().mapToDouble(PushSumVector::mass).sum())
                .isCloseTo(ranks, within(ranks * 1e-5));
    }

    @Test
    void pushSumPreservesTheTotalMass() {
        int ranks = 5;
        List<PushSumVector> vectors = pushSumVectors(ranks, 1);
        for (int rank = 0; rank < ranks; rank++) {
            vectors.get(rank).begin(Arena.ofAuto().allocateFrom(JAVA_FLOAT, 1), rank * 0.5f);
        }
        for (int exchange = 0; exchange < 20; exchange++) {
            long number = exchange;
            TestingRanks.run(
                    MemoryChannel.join(ranks),
                    channel ->
                            vectors.get(channel.rank())
                                    .mix(
                                            neighbors(
                                                    channel,
                                                    new Schedule.Linear(false),
                                                    new Mixing.PushSum(),
                                                    2),
                                            number));

            assertThat(vectors.stream().mapToDouble(PushSumVector::mass).sum())
                    .isCloseTo(ranks, within(1e-5));
        }
    }

    @Test
    void equalVectorsKeepTheirBits() {
        List<MemorySegment> vectors =
                IntStream.range(0, 5).mapToObj(_ -> vector(LENGTH, 7)).toList();

        exchange(vectors, new Schedule.Linear(false), new Mixing.Uniform(), 0, 50);

        assertThat(vectors).allMatch(vector -> vector.mismatch(vector(LENGTH, 7)) == -1);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 5, 8, 16})
    void trafficDoesNotDependOnTheNumberOfRanks(int ranks) {
        List<Channel> channels = MemoryChannel.join(ranks);

        exchange(
                channels,
                vectors(ranks, 1000),
                new Schedule.Linear(false),
                new Mixing.Uniform(),
                0,
                1);

        assertThat(channels).extracting(Channel::bytesSent).containsOnly(2 * (32L + 4000));
    }

    @Test
    void pushSumSendsHalfAsMuch() {
        List<Channel> channels = MemoryChannel.join(5);

        exchange(
                channels, vectors(5, 1000), new Schedule.Linear(false), new Mixing.PushSum(), 0, 1);

        assertThat(channels).extracting(Channel::bytesSent).containsOnly(32L + 4000);
    }

    @Test
    void keepsTheVectorWhenAPartnerIsLostDuringTheExchange() {
        List<Channel> channels = MemoryChannel.join(2);
        MemorySegment vector = vector(LENGTH, 1);

        TestingRanks.run(
                channels,
                channel -> {
                    if (channel.rank() == 0) {
                        assertThatExceptionOfType(ChannelFailed.class)
                                .isThrownBy(() ->
                                        neighbors(
                                                        channel,
                                                        new Schedule.Fixed(1),
                                                        new Mixing.Uniform(),
                                                        LENGTH)
                                                .mix(vector, 0));
                    } else {
                        int segment = 128 * 1024;
                        channel.exchange(
                                0, vector(LENGTH, 2).asSlice(0, segment), 0, allocate(segment));
                        channel.close();
                    }
                });

        assertThat(vector.mismatch(vector(LENGTH, 1))).isEqualTo(-1);
    }

    @Test
    void rejectsVectorsThatDoNotFit() {
        var neighbors =
                neighbors(
                        MemoryChannel.join(1).getFirst(),
                        new Schedule.Fixed(1),
                        new Mixing.Uniform(),
                        2);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> neighbors.mix(allocate(12), 0))
                .withMessage("the vector must be of float32 and at most 8 bytes, but has 12");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> neighbors.mix(allocate(7), 0))
                .withMessageContaining("must be of float32");
    }

    @Test
    void rejectsInvalidLengthsAndMasses() {
        var vector = new PushSumVector(2, Arena.ofAuto());

        assertThatIllegalArgumentException()
                .isThrownBy(() -> vector.begin(allocate(4), 1))
                .withMessage("the vector must have 8 bytes, but has 4");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> vector.begin(allocate(8), Float.NaN))
                .withMessage("the mass must be finite and not negative, but was NaN");
    }

    /** Measured without the allocations of a waiting channel. */
    @Tag("allocation")
    @ParameterizedTest(name = "{0}, {1} ranks")
    @MethodSource("schedulesAndRanks")
    void anExchangeAllocatesNothing(Schedule schedule, int ranks) throws Exception {
        MemorySegment vector = vector(LENGTH, 1);
        var neighbors =
                neighbors(
                        new SilentChannel(0, ranks),
                        schedule,
                        new Mixing.Metropolis(samples(ranks)),
                        LENGTH);

        AllocationTrials.assertBytesPerRound(
                0, () -> AllocationTrials.bytesOf(() -> mix(neighbors, vector, 100)));
    }

    @Tag("allocation")
    @Test
    void anExchangeBetweenThreadsAllocatesAlmostNothing() throws Exception {
        AllocationTrials.assertBytesPerRound(
                1024, NeighborExchangeTest::maxBytesPerExchangeOfFiveRanks);
    }

    private static long maxBytesPerExchangeOfFiveRanks() {
        int exchanges = 200;
        long[] allocated = new long[5];

        TestingRanks.run(
                MemoryChannel.join(5),
                channel -> {
                    MemorySegment vector = vector(LENGTH, channel.rank());
                    var neighbors =
                            neighbors(
                                    channel,
                                    new Schedule.RandomMatching(1),
                                    new Mixing.Metropolis(samples(5)),
                                    LENGTH);
                    mix(neighbors, vector, 10);
                    allocated[channel.rank()] =
                            AllocationTrials.bytesOf(() -> mix(neighbors, vector, exchanges));
                });
        return Arrays.stream(allocated).max().orElseThrow() / exchanges;
    }

    private static void mix(NeighborExchange neighbors, MemorySegment vector, int exchanges) {
        for (int exchange = 0; exchange < exchanges; exchange++) {
            neighbors.mix(vector, exchange);
        }
    }

    private static void exchange(
            List<MemorySegment> vectors, Schedule schedule, Mixing mixing, long first, int count) {
        exchange(MemoryChannel.join(vectors.size()), vectors, schedule, mixing, first, count);
    }

    private static void exchange(
            List<Channel> channels,
            List<MemorySegment> vectors,
            Schedule schedule,
            Mixing mixing,
            long first,
            int count) {
        TestingRanks.run(
                channels,
                channel -> {
                    MemorySegment vector = vectors.get(channel.rank());
                    var neighbors =
                            neighbors(channel, schedule, mixing, vector.byteSize() / Float.BYTES);
                    for (long exchange = first; exchange < first + count; exchange++) {
                        neighbors.mix(vector, exchange);
                    }
                });
    }

    private static NeighborExchange neighbors(
            Channel channel, Schedule schedule, Mixing mixing, long elements) {
        return new NeighborExchange(channel, schedule, mixing, elements, Arena.ofAuto());
    }

    private static List<Long> samples(int ranks) {
        return LongStream.range(0, ranks).map(rank -> 100 + 50 * rank).boxed().toList();
    }

    private static List<PushSumVector> pushSumVectors(int ranks, int length) {
        return IntStream.range(0, ranks)
                .mapToObj(_ -> new PushSumVector(length, Arena.ofAuto()))
                .toList();
    }

    private static List<MemorySegment> vectors(int ranks, int length) {
        return IntStream.range(0, ranks).mapToObj(rank -> vector(length, rank)).toList();
    }

    /** Returns random elements between -1 and 1. */
    private static MemorySegment vector(int length, long seed) {
        var random = new SplittableRandom(seed);
        MemorySegment vector = allocate((long) length * Float.BYTES);
        for (int i = 0; i < length; i++) {
            vector.setAtIndex(JAVA_FLOAT, i, (float) random.nextDouble(-1, 1));
        }
        return vector;
    }

    private static MemorySegment allocate(long bytes) {
        return Arena.ofAuto().allocate(bytes, Float.BYTES);
    }

    private static double[][] elements(List<MemorySegment> vectors, int length) {
        return vectors.stream()
                .map(vector ->
                        IntStream.range(0, length)
                                .mapToDouble(i -> vector.getAtIndex(JAVA_FLOAT, i))
                                .toArray())
                .toArray(double[][]::new);
    }

    private static double[] mean(double[][] vectors, IntToDoubleFunction weight) {
        double[] weights = IntStream.range(0, vectors.length).mapToDouble(weight).toArray();
        double total = Arrays.stream(weights).sum();
        return row(Arrays.stream(weights).map(it -> it / total).toArray(), vectors);
    }

    private static double[] row(double[] weights, double[][] vectors) {
        double[] sum = new double[vectors[0].length];
        for (int rank = 0; rank < vectors.length; rank++) {
            for (int i = 0; i < sum.length; i++) {
                sum[i] += weights[rank] * vectors[rank][i];
            }
        }
        return sum;
    }

    /** Allows for the rounding of 400 exchanges, two or three times each, to values below 1. */
    private static void assertAllClose(List<MemorySegment> vectors, double[] mean) {
        for (double[] vector : elements(vectors, mean.length)) {
            assertClose(vector, mean, 5e-6);
        }
    }

    private static void assertClose(double[] actual, double[] expected, double tolerance) {
        double largest = 0;
        for (int i = 0; i < expected.length; i++) {
            largest = Math.max(largest, Math.abs(actual[i] - expected[i]));
        }
        assertThat(largest).isLessThanOrEqualTo(tolerance);
    }
}
