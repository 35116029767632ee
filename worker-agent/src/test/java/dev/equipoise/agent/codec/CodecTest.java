package dev.equipoise.agent.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Properties of all codecs. */
class CodecTest {

    private static final CodecRandom RANDOM = new CodecRandom(7, 1, 3);

    static Stream<TestingCodecs> codecs() {
        return TestingCodecs.all();
    }

    static Stream<Arguments> codecsAndLengths() {
        return TestingCodecs.all()
                .flatMap(codec ->
                        IntStream.of(0, 1, 2, 7, 8, 63, 64, 65, 511, 513, 1023, 1024, 1025, 20_003)
                                .mapToObj(length -> Arguments.of(codec, length)));
    }

    @Test
    void idsNeverChange() {
        assertThat(codecs().map(codec -> codec.codec(1).id()).distinct())
                .containsExactly(1, 2, 3, 4, 5, 6);
    }

    @ParameterizedTest(name = "{0}, {1} elements")
    @MethodSource("codecsAndLengths")
    void roundTripsAtAnyLength(TestingCodecs kind, int length) {
        Codec codec = kind.codec(length);
        MemorySegment vector = TestingVectors.random(length, length);
        float[] before = TestingVectors.floats(vector);

        Frame frame = codec.encode(vector, RANDOM, TestingVectors.buffer(codec, length));

        assertThat(frame.codec()).isEqualTo(codec.id());
        assertThat(frame.elements()).isEqualTo(length);
        assertThat(frame.payload().byteSize()).isLessThanOrEqualTo(codec.largestPayload(length));
        assertThat(TestingVectors.floats(vector)).isEqualTo(before);
        float[] decoded = TestingVectors.floats(TestingVectors.decoded(codec, frame, RANDOM));
        assertThat(IntStream.range(0, length).filter(i -> !kind.allows(before[i], decoded[i])))
                .isEmpty();
    }

    @ParameterizedTest(name = "{0}, {1} elements")
    @MethodSource("codecsAndLengths")
    void addEqualsDecodeAndSum(TestingCodecs kind, int length) {
        Codec codec = kind.codec(length);
        MemorySegment vector = TestingVectors.random(length, length);
        Frame frame = codec.encode(vector, RANDOM, TestingVectors.buffer(codec, length));
        float[] decoded = TestingVectors.floats(TestingVectors.decoded(codec, frame, RANDOM));
        MemorySegment sum = TestingVectors.integers(length, 5);
        float[] expected = TestingVectors.floats(sum);

        codec.add(frame, RANDOM, -0.5f, sum);

        for (int i = 0; i < length; i++) {
            expected[i] += -0.5f * decoded[i];
        }
        float[] actual = TestingVectors.floats(sum);
        assertThat(
                        IntStream.range(0, length)
                                .filter(i -> !isClose(actual[i], expected[i], decoded[i])))
                .isEmpty();
    }

    /** Equal up to the rounding of a product and a sum. */
    private static boolean isClose(float actual, float expected, float addend) {
        return Math.abs(actual - expected) <= 1e-6f * (10 + Math.abs(addend));
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void equalInputsGiveEqualBits(TestingCodecs kind) {
        MemorySegment vector = TestingVectors.random(3001, 1);
        Codec used = kind.codec(3001);
        used.encode(TestingVectors.random(3001, 2), RANDOM, TestingVectors.buffer(used, 3001));

        Frame first = used.encode(vector, RANDOM, TestingVectors.buffer(used, 3001));
        Codec fresh = kind.codec(3001);
        Frame second = fresh.encode(vector, RANDOM, TestingVectors.buffer(fresh, 3001));

        assertThat(first.payload().mismatch(second.payload())).isEqualTo(-1);
        assertThat(first.flags()).isEqualTo(second.flags());
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void rejectsNonFiniteElements(TestingCodecs kind) {
        for (float wrong : new float[] {Float.NaN, Float.POSITIVE_INFINITY, -1 / 0f}) {
            for (int index : new int[] {0, 63, 1024, 2999}) {
                float[] values = TestingVectors.floats(TestingVectors.random(3000, 1));
                values[index] = wrong;
                values[2999] = wrong;
                Codec codec = kind.codec(3000);

                assertThatIllegalArgumentException()
                        .isThrownBy(() ->
                                codec.encode(
                                        TestingVectors.of(values),
                                        RANDOM,
                                        TestingVectors.buffer(codec, 3000)))
                        .withMessage("element %d must be finite, but was %s", index, wrong);
            }
        }
    }

    /** The last element is alone in its lane, its word, or its block. */
    @ParameterizedTest
    @MethodSource("codecs")
    void rejectsANonFiniteLastElement(TestingCodecs kind) {
        for (int length : new int[] {1, 17, 65, 513, 1025}) {
            float[] values = TestingVectors.floats(TestingVectors.random(length, 1));
            values[length - 1] = Float.NaN;
            Codec codec = kind.codec(length);

            assertThatIllegalArgumentException()
                    .isThrownBy(() ->
                            codec.encode(
                                    TestingVectors.of(values),
                                    RANDOM,
                                    TestingVectors.buffer(codec, length)))
                    .withMessage("element %d must be finite, but was NaN", length - 1);
        }
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void rejectsATooSmallBuffer(TestingCodecs kind) {
        Codec codec = kind.codec(100);
        long required = codec.largestPayload(100);

        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        codec.encode(
                                TestingVectors.zeros(100),
                                RANDOM,
                                Arena.ofAuto().allocate(required - 1)))
                .withMessage(
                        "the payload buffer must have at least %d bytes, but has %d",
                        required, required - 1);
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void zerosDecodeToZeros(TestingCodecs kind) {
        Codec codec = kind.codec(1500);
        Frame frame =
                codec.encode(
                        TestingVectors.zeros(1500), RANDOM, TestingVectors.buffer(codec, 1500));

        assertThat(TestingVectors.floats(TestingVectors.decoded(codec, frame, RANDOM)))
                .containsOnly(0);
    }

    /**
     * A corrupt frame must cause only FrameCorrupt: decoding never reads or writes out of bounds.
     */
    @ParameterizedTest
    @MethodSource("codecs")
    void corruptFramesAreRejectedOrDecoded(TestingCodecs kind) {
        var random = new SplittableRandom(4);
        for (int trial = 0; trial < 1000; trial++) {
            int length = random.nextInt(1, 200);
            Codec codec = kind.codec(length);
            Frame good =
                    codec.encode(
                            TestingVectors.random(length, trial),
                            RANDOM,
                            TestingVectors.buffer(codec, length));

            decodeOrReject(codec, damaged(good, random), length);
        }
    }

    private static Frame damaged(Frame frame, SplittableRandom random) {
        byte[] payload = frame.payload().toArray(JAVA_BYTE);
        int size = random.nextInt(3) == 0 ? random.nextInt(payload.length + 9) : payload.length;
        byte[] damaged = Arrays.copyOf(payload, size);
        for (int i = random.nextInt(4); i > 0 && size > 0; i--) {
            damaged[random.nextInt(size)] = (byte) random.nextInt();
        }
        int flags = random.nextInt(4) == 0 ? random.nextInt(256) : frame.flags();
        return TestingVectors.withPayload(
                new Frame(frame.codec(), flags, frame.elements(), frame.payload()), damaged);
    }

    private static void decodeOrReject(Codec codec, Frame frame, int length) {
        MemorySegment around = Arena.ofAuto().allocate(4L * length + 8, 4);
        around.fill((byte) 0x55);
        MemorySegment vector = around.asSlice(4, 4L * length);
        try {
            codec.decode(frame, RANDOM, vector);
            assertThat(TestingVectors.floats(vector)).doesNotContain(Float.NaN);
        } catch (FrameCorrupt refused) {
            assertThat(refused).hasMessageMatching(".* must .*, but was .* at byte \\d+ .*");
        }
        assertThat(TestingVectors.get(around, 0)).isEqualTo(TestingVectors.get(around, length + 1));
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void rejectsAFrameOfAnotherCodecOrLength(TestingCodecs kind) {
        Codec codec = kind.codec(100);
        Frame frame =
                codec.encode(
                        TestingVectors.random(100, 1), RANDOM, TestingVectors.buffer(codec, 100));
        MemorySegment vector = TestingVectors.zeros(100);

        assertThat(rejection(codec, new Frame(99, frame.flags(), 100, frame.payload()), vector))
                .isEqualTo("the codec must be %d, but was 99 at byte 0 of the payload", codec.id());
        assertThat(
                        rejection(
                                codec,
                                new Frame(codec.id(), frame.flags(), 101, frame.payload()),
                                vector))
                .isEqualTo("the elements must be 100, but was 101 at byte 0 of the payload");
    }

    private static String rejection(Codec codec, Frame frame, MemorySegment vector) {
        try {
            codec.decode(frame, RANDOM, vector);
            return "decoded";
        } catch (FrameCorrupt refused) {
            return String.valueOf(refused.getMessage());
        }
    }
}
