package dev.equipoise.agent.codec;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;

class SignTest {

    private static final CodecRandom RANDOM = new CodecRandom(7, 1, 3);

    private static Frame encode(Codec codec, MemorySegment vector) {
        return codec.encode(vector, RANDOM, TestingVectors.buffer(codec, Block.elements(vector)));
    }

    @Test
    void everyLayerHasItsOwnScale() {
        Codec codec = Codec.sign(List.of(3, 1, 4));
        MemorySegment vector = TestingVectors.of(1, -2, 3, -7, 1, 1, -1, 5);

        MemorySegment decoded = TestingVectors.decoded(codec, encode(codec, vector), RANDOM);

        assertThat(TestingVectors.floats(decoded)).containsExactly(2, -2, 2, -7, 2, 2, -2, 2);
    }

    @Test
    void aLayerMayBeLongerThanABlock() {
        MemorySegment vector = TestingVectors.random(5000, 1);
        double sum = 0;
        for (int i = 0; i < 5000; i++) {
            sum += Math.abs(TestingVectors.get(vector, i));
        }
        Codec codec = Codec.sign();

        MemorySegment decoded = TestingVectors.decoded(codec, encode(codec, vector), RANDOM);

        for (int i = 0; i < 5000; i++) {
            double sign = TestingVectors.get(vector, i) < 0 ? -1 : 1;
            assertThat((double) TestingVectors.get(decoded, i))
                    .isCloseTo(sign * sum / 5000, within(1e-5 * sum / 5000));
        }
    }

    @Test
    void theScaleDoesNotOverflowBeforeTheMean() {
        MemorySegment vector = TestingVectors.of(100, _ -> Float.MAX_VALUE);
        Codec codec = Codec.sign();

        assertThat(
                        TestingVectors.floats(
                                TestingVectors.decoded(codec, encode(codec, vector), RANDOM)))
                .containsOnly(Float.MAX_VALUE);
    }

    @Test
    void needsOneBitPerElementAndOneScalePerLayer() {
        assertThat(encode(Codec.sign(), TestingVectors.random(801, 1)).bytes())
                .isEqualTo(32 + 4 + 101);
        assertThat(encode(Codec.sign(List.of(800, 1)), TestingVectors.random(801, 1)).bytes())
                .isEqualTo(32 + 4 + 100 + 4 + 1);
    }

    @Test
    void rejectsAVectorOfOtherLayers() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> encode(Codec.sign(List.of(3, 4)), TestingVectors.zeros(8)))
                .withMessage("the vector must have the 7 elements of the layers, but has 8");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Codec.sign(List.of(3, 0)))
                .withMessage("a layer must have at least 1 element, but had 0");
    }

    @Test
    void rejectsAnInvalidScale() {
        Codec codec = Codec.sign(List.of(3, 5));
        Frame frame = encode(codec, TestingVectors.random(8, 1));
        frame.payload().set(JAVA_FLOAT_UNALIGNED, 5, -1);

        assertThatExceptionOfType(FrameCorrupt.class)
                .isThrownBy(() -> codec.decode(frame, RANDOM, TestingVectors.zeros(8)))
                .withMessage(
                        "a scale must be finite and not negative, but was -1.0 at byte 5 of the"
                                + " payload");
    }
}
