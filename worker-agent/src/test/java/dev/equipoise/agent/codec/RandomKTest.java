package dev.equipoise.agent.codec;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RandomKTest {

    private static final int LENGTH = 1003;

    private static Frame encode(Codec codec, MemorySegment vector, CodecRandom random) {
        return codec.encode(vector, random, TestingVectors.buffer(codec, Block.elements(vector)));
    }

    @Test
    void allRanksChooseEqualElements() {
        Codec codec = Codec.randomK(0.1, false);
        MemorySegment vector = TestingVectors.random(LENGTH, 1);

        MemorySegment first = encode(codec, vector, new CodecRandom(3, 0, 9)).payload();
        MemorySegment second = encode(codec, vector, new CodecRandom(3, 5, 9)).payload();

        assertThat(first.mismatch(second)).isEqualTo(-1);
    }

    @Test
    void eachRoundChoosesOtherElements() {
        Codec codec = Codec.randomK(0.1, false);
        MemorySegment vector = TestingVectors.random(LENGTH, 1);

        MemorySegment first = encode(codec, vector, new CodecRandom(3, 0, 9)).payload();
        MemorySegment second = encode(codec, vector, new CodecRandom(3, 0, 10)).payload();

        assertThat(first.mismatch(second)).isNotEqualTo(-1);
    }

    /** The all-reduced payloads decode to the sum of the vectors. */
    @Test
    void isLinear() {
        Codec codec = Codec.randomK(0.3, true);
        var random = new CodecRandom(3, 0, 9);
        MemorySegment left = TestingVectors.integers(LENGTH, 1);
        MemorySegment right = TestingVectors.integers(LENGTH, 2);
        MemorySegment sum =
                TestingVectors.of(
                        LENGTH, i -> TestingVectors.get(left, i) + TestingVectors.get(right, i));
        Frame frame = encode(codec, left, random);
        add(encode(codec, right, random).payload(), frame.payload());

        assertThat(codec.isLinear()).isTrue();
        assertThat(frame.payload().mismatch(encode(codec, sum, random).payload())).isEqualTo(-1);
    }

    private static void add(MemorySegment addend, MemorySegment sum) {
        for (long offset = 0; offset < sum.byteSize(); offset += Float.BYTES) {
            sum.set(
                    JAVA_FLOAT_UNALIGNED,
                    offset,
                    sum.get(JAVA_FLOAT_UNALIGNED, offset)
                            + addend.get(JAVA_FLOAT_UNALIGNED, offset));
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "10, 1", "10, 10", "1003, 100", "1000, 250"})
    void drawsEveryIndexEquallyOften(int elements, int count) {
        int rounds = 20_000;
        int[] drawn = new int[elements];
        boolean inOrder = true;
        for (int round = 0; round < rounds; round++) {
            var sampler =
                    new StratifiedSampler(elements, count, new CodecRandom(1, 0, round).shared());
            int previous = -1;
            for (int i = 0; i < count; i++) {
                int index = sampler.next();
                inOrder &= index > previous && index < elements;
                drawn[index]++;
                previous = index;
            }
        }
        assertThat(inOrder).isTrue();
        double share = (double) count / elements;
        for (int index = 0; index < elements; index++) {
            assertThat((double) drawn[index] / rounds).isCloseTo(share, within(0.15 * share));
        }
    }

    @Test
    void sendsValuesOnly() {
        Codec codec = Codec.randomK(0.01, true);

        assertThat(
                        encode(codec, TestingVectors.random(LENGTH, 1), new CodecRandom(3, 0, 9))
                                .bytes())
                .isEqualTo(32 + 4 * 11);
    }
}
