package dev.equipoise.agent.collective;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.MemoryChannel;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RingAllReduceTest {

    static Stream<Arguments> ranksAndLengths() {
        return IntStream.of(1, 2, 3, 5, 7, 8)
                .boxed()
                .flatMap(ranks ->
                        IntStream.of(0, 1, 2, 7, 64, 1000, 431_081)
                                .mapToObj(length -> Arguments.of(ranks, length)));
    }

    @ParameterizedTest(name = "{0} ranks, {1} elements")
    @MethodSource("ranksAndLengths")
    void givesEveryRankTheSameSum(int ranks, int length) {
        var inputs = TestingVectors.random(ranks, length);
        var outputs = inputs.copy();

        outputs.sumOver(MemoryChannel.join(ranks));

        outputs.assertSameBitsOnAllRanks();
        inputs.assertSum(outputs.ofRanks().getFirst());
    }

    @ParameterizedTest(name = "{0} ranks, {1} elements")
    @MethodSource("ranksAndLengths")
    void sumsIntegersExactly(int ranks, int length) {
        var inputs = TestingVectors.integers(ranks, length);
        var outputs = inputs.copy();

        outputs.sumOver(MemoryChannel.join(ranks));

        inputs.assertExactSum(outputs.ofRanks().getLast());
    }

    @Test
    void sendsTheVectorAlmostTwiceOverAllRanksTogether() {
        int ranks = 5;
        int length = 1003;
        List<Channel> channels = MemoryChannel.join(ranks);

        TestingVectors.integers(ranks, length).sumOver(channels);

        long payload = 2L * (ranks - 1) * length * Float.BYTES;
        long headers = ranks * 2L * (ranks - 1) * 32;
        assertThat(channels.stream().mapToLong(Channel::bytesSent).sum())
                .isEqualTo(payload + headers);
    }

    @Test
    void refusesAVectorLongerThanItsMemory() {
        var allReduce = new RingAllReduce(MemoryChannel.join(3).getFirst(), 10);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> allReduce.sum(Arena.ofAuto().allocate(JAVA_FLOAT, 13)))
                .withMessage("the vector must be of float32 and at most 48 bytes, but has 52");
    }
}
