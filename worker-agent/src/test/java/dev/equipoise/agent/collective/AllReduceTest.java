package dev.equipoise.agent.collective;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.MemoryChannel;
import dev.equipoise.agent.link.LinkCost;
import dev.equipoise.agent.link.LinkMatrix;
import dev.equipoise.agent.link.RankPair;
import dev.equipoise.protocol.Topology.Algorithm;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Properties of every all-reduce algorithm. */
class AllReduceTest {

    static Stream<Arguments> algorithmsRanksAndLengths() {
        return Arrays.stream(Algorithm.values())
                .flatMap(algorithm ->
                        IntStream.of(1, 2, 3, 5, 7, 8)
                                .boxed()
                                .flatMap(ranks ->
                                        IntStream.of(0, 1, 2, 7, 64, 1000, 431_081)
                                                .mapToObj(length ->
                                                        Arguments.of(algorithm, ranks, length))));
    }

    @ParameterizedTest(name = "{0}, {1} ranks, {2} elements")
    @MethodSource("algorithmsRanksAndLengths")
    void allRanksGetEqualSums(Algorithm algorithm, int ranks, int length) {
        var inputs = TestingVectors.random(ranks, length);
        var outputs = inputs.copy();

        outputs.sumOver(MemoryChannel.join(ranks), algorithm);

        outputs.assertSameBitsOnAllRanks();
        inputs.assertSum(outputs.ofRanks().getFirst());
    }

    @ParameterizedTest(name = "{0}, {1} ranks, {2} elements")
    @MethodSource("algorithmsRanksAndLengths")
    void sumsIntegersExactly(Algorithm algorithm, int ranks, int length) {
        var inputs = TestingVectors.integers(ranks, length);
        var outputs = inputs.copy();

        outputs.sumOver(MemoryChannel.join(ranks), algorithm);

        inputs.assertExactSum(outputs.ofRanks().getLast());
    }

    @Test
    void aRingSendsTheMinimumOfBytes() {
        int ranks = 5;
        int length = 1003;
        List<Channel> channels = MemoryChannel.join(ranks);

        TestingVectors.integers(ranks, length).sumOver(channels, Algorithm.RING);

        long payload = 2L * (ranks - 1) * length * Float.BYTES;
        long headers = ranks * 2L * (ranks - 1) * 32;
        assertThat(channels.stream().mapToLong(Channel::bytesSent).sum())
                .isEqualTo(payload + headers);
    }

    @Test
    void rejectsAVectorLongerThanItsMemory() {
        var allReduce = new RecursiveDoubling(MemoryChannel.join(3).getFirst(), 12, Arena.ofAuto());

        assertThatIllegalArgumentException()
                .isThrownBy(() -> allReduce.sum(Arena.ofAuto().allocate(JAVA_FLOAT, 13)))
                .withMessage("the vector must be of float32 and at most 48 bytes, but has 52");
    }

    @Test
    void rejectsLengthsThatAreNotAMultipleOfFour() {
        var allReduce = new RingAllReduce(MemoryChannel.join(3).getFirst(), Arena.ofAuto());

        assertThatIllegalArgumentException()
                .isThrownBy(() -> allReduce.sum(Arena.ofAuto().allocate(7)))
                .withMessageContaining("must be of float32");
    }

    @Test
    void aRingSupportsAnyOrderOfTheRanks() {
        var inputs = TestingVectors.random(5, 10_000);
        var outputs = inputs.copy();

        outputs.sumOver(
                MemoryChannel.join(5),
                channel -> new RingAllReduce(channel, List.of(3, 0, 4, 1, 2), Arena.ofAuto()));

        outputs.assertSameBitsOnAllRanks();
        inputs.assertSum(outputs.ofRanks().getFirst());
    }

    @Test
    void aRingSumsInTheFastestOrderByMeasuredLinks() {
        int ranks = 6;
        var inputs = TestingVectors.random(ranks, 10_000);
        var outputs = inputs.copy();
        List<Integer> order = linksOfTwoIslands(ranks).ringOrder(10_000L * Float.BYTES / ranks);
        assertThat(order).isEqualTo(List.of(0, 1, 3, 5, 2, 4));

        outputs.sumOver(
                MemoryChannel.join(ranks),
                channel -> new RingAllReduce(channel, order, Arena.ofAuto()));

        outputs.assertSameBitsOnAllRanks();
        inputs.assertSum(outputs.ofRanks().getFirst());
    }

    /** Links between ranks of equal parity are fast. */
    private static LinkMatrix linksOfTwoIslands(int ranks) {
        Map<RankPair, LinkCost> costs = new HashMap<>();
        for (int low = 0; low < ranks; low++) {
            for (int high = low + 1; high < ranks; high++) {
                double alpha = (high - low) % 2 == 0 ? 1e-5 : 1e-3;
                costs.put(new RankPair(low, high), new LinkCost(alpha, 1e-9, 0));
            }
        }
        return new LinkMatrix(ranks, costs);
    }

    @ParameterizedTest
    @CsvSource({"2, 3", "3, 2", "4, 2", "1, 4", "4, 1"})
    void hierarchicalAllReduceSumsAcrossHosts(int hosts, int ranksEach) {
        var inputs = TestingVectors.random(hosts * ranksEach, 1003);
        var outputs = inputs.copy();
        List<List<Integer>> layout =
                IntStream.range(0, hosts)
                        .mapToObj(host ->
                                IntStream.range(0, ranksEach)
                                        .mapToObj(position -> position * hosts + host)
                                        .toList())
                        .toList();

        outputs.sumOver(
                MemoryChannel.join(hosts * ranksEach),
                channel -> new HierarchicalAllReduce(channel, layout, Arena.ofAuto()));

        outputs.assertSameBitsOnAllRanks();
        inputs.assertSum(outputs.ofRanks().getFirst());
    }

    @Test
    void rejectsHostsWithUnequalNumbersOfRanks() {
        Channel channel = MemoryChannel.join(3).getFirst();

        assertThatExceptionOfType(TopologyImpossible.class)
                .isThrownBy(() ->
                        new HierarchicalAllReduce(
                                channel, List.of(List.of(0, 1), List.of(2)), Arena.ofAuto()))
                .withMessageContaining("needs equally many ranks on every host");
    }
}
