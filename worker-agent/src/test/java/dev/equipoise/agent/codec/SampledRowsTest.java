package dev.equipoise.agent.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SampledRowsTest {

    private static final CodecRandom RANDOM = new CodecRandom(7, 1, 3);
    private static final int ROWS = 300;
    private static final int WIDTH = 1500;

    /** An embedding of 9 words, a hidden layer and 9 units, each with its bias: 27 + 20 + 45. */
    private static final List<RowSampledMatrix> MODEL =
            List.of(
                    RowSampledMatrix.byRows(9, 3, select(8, 0, 4)),
                    RowSampledMatrix.byRows(5, 4, select(3)),
                    RowSampledMatrix.byColumns(5, 9, select(1, 7)));

    private static final int LENGTH = 92;

    private static RowSelection select(int... rows) {
        return (_, chosen) -> IntStream.of(rows).forEach(chosen::set);
    }

    private static Codec codec(int rows, int width, RowSelection choice) {
        return Codec.sampledRows(List.of(RowSampledMatrix.byRows(rows, width, choice)));
    }

    private static Frame encode(Codec codec, MemorySegment vector, CodecRandom random) {
        return codec.encode(vector, random, TestingVectors.buffer(codec, Block.elements(vector)));
    }

    /** An independent definition, without any arithmetic of the codec. */
    private static boolean isSent(int index) {
        if (index < 27) {
            return Set.of(0, 4, 8).contains(index / 3);
        }
        return index < 47 ? (index - 27) / 4 == 3 : Set.of(1, 7).contains((index - 47) % 9);
    }

    @Test
    void sendsTheSelectedRowsOnly() {
        Codec codec = codec(ROWS, WIDTH, select(299, 0, 170, 0));
        MemorySegment matrix = TestingVectors.random(ROWS * WIDTH, 1);

        Frame frame = encode(codec, matrix, RANDOM);

        MemorySegment decoded = TestingVectors.decoded(codec, frame, RANDOM);
        for (int i = 0; i < ROWS * WIDTH; i++) {
            int row = i / WIDTH;
            boolean sent = row == 0 || row == 170 || row == 299;
            assertThat(TestingVectors.get(decoded, i))
                    .isEqualTo(sent ? TestingVectors.get(matrix, i) : 0);
        }
        assertThat(frame.bytes()).isEqualTo(32 + 12 + 3 * 4 * WIDTH);
    }

    @Test
    void sendsColumnsOfSomeMatricesAndRowsOfOthers() {
        Codec codec = Codec.sampledRows(MODEL);
        MemorySegment vector = TestingVectors.of(LENGTH, i -> i + 1);

        Frame frame = encode(codec, vector, RANDOM);

        MemorySegment decoded = TestingVectors.decoded(codec, frame, RANDOM);
        for (int i = 0; i < LENGTH; i++) {
            assertThat(TestingVectors.get(decoded, i)).isEqualTo(isSent(i) ? i + 1 : 0);
        }
        assertThat(frame.payload().byteSize()).isEqualTo(12 + 4 * (3 * 3 + 4 + 2 * 5));
    }

    /** Servers may cut the vector anywhere, even within rows. */
    @Test
    void aRangeSendsItsPartOfTheWholeVector() {
        MemorySegment vector = TestingVectors.of(LENGTH, i -> i + 1);
        for (int from = 0; from <= LENGTH; from++) {
            for (int to = from; to <= LENGTH; to++) {
                Codec codec = Codec.sampledRows(MODEL, from, to);
                MemorySegment range = vector.asSlice(4L * from, 4L * (to - from));

                Frame frame = encode(codec, range, RANDOM);

                MemorySegment decoded = TestingVectors.decoded(codec, frame, RANDOM);
                for (int i = from; i < to; i++) {
                    assertThat(TestingVectors.get(decoded, i - from))
                            .isEqualTo(isSent(i) ? i + 1 : 0);
                }
            }
        }
    }

    @Test
    void framesWithEqualSelectionsCanBeSummed() {
        Codec codec = Codec.sampledRows(MODEL);
        MemorySegment one = TestingVectors.integers(LENGTH, 1);
        MemorySegment other = TestingVectors.integers(LENGTH, 2);
        Frame frame = encode(codec, one, RANDOM);
        MemorySegment sum = codec.summands(frame);
        MemorySegment addend = codec.summands(encode(codec, other, RANDOM));

        for (long at = 0; at < sum.byteSize(); at += 4) {
            float total = sum.get(JAVA_FLOAT_UNALIGNED, at) + addend.get(JAVA_FLOAT_UNALIGNED, at);
            sum.set(JAVA_FLOAT_UNALIGNED, at, total);
        }

        MemorySegment decoded = TestingVectors.decoded(codec, frame, RANDOM);
        for (int i = 0; i < LENGTH; i++) {
            float both = TestingVectors.get(one, i) + TestingVectors.get(other, i);
            assertThat(TestingVectors.get(decoded, i)).isEqualTo(isSent(i) ? both : 0);
        }
    }

    @Test
    void selectingAllRowsNeedsTheLargestPayload() {
        Codec codec = codec(ROWS, WIDTH, RowSelection.first(ROWS));

        Frame frame = encode(codec, TestingVectors.random(ROWS * WIDTH, 1), RANDOM);

        assertThat(frame.payload().byteSize())
                .isEqualTo(codec.largestPayload(ROWS * WIDTH))
                .isEqualTo(4 + ROWS + 4 * ROWS * WIDTH);
    }

    /** Gaps up to the limits of one, two, three and four bytes, and one row more. */
    @ParameterizedTest
    @CsvSource({"1, 1", "128, 1", "129, 2", "16384, 2", "16385, 3", "2097152, 3", "2097153, 4"})
    void idsNeedAtMostOneBytePerRow(int distance, int idBytes) {
        int count = Math.max(1, 100_000 / distance);
        int rows = count * distance;
        Codec codec = codec(rows, 1, (_, chosen) -> every(distance, chosen));

        Frame frame = encode(codec, TestingVectors.zeros(rows), RANDOM);

        assertThat(frame.payload().byteSize())
                .isEqualTo(4 + Math.ceilDiv(idBytes * count, 4) * 4L + 4L * count)
                .isLessThanOrEqualTo(codec.largestPayload(rows));
        assertThat(idBytes).isLessThanOrEqualTo(distance);
    }

    private static void every(int distance, Bitmap chosen) {
        for (int row = distance - 1; row < chosen.size(); row += distance) {
            chosen.set(row);
        }
    }

    @Test
    void frequentRowsAreAlwaysSentAndOthersSampled() {
        RowSelection choice = RowSelection.first(3).and(RowSelection.sampledBehind(3, 0.01));
        var all = new Bitmap();
        all.reset(ROWS);
        for (int round = 0; round < 2000; round++) {
            var rows = new Bitmap();
            rows.reset(ROWS);
            choice.choose(new CodecRandom(1, round % 7, round), rows);

            assertThat(rows.count()).isEqualTo(3 + 3);
            assertThat(rows.contains(0) && rows.contains(1) && rows.contains(2)).isTrue();
            all.addAll(rows);
        }
        assertThat(all.count()).isEqualTo(ROWS);
    }

    @Test
    void rejectsAVectorOfAnotherLength() {
        Codec codec = Codec.sampledRows(MODEL, 20, 27);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> encode(codec, TestingVectors.zeros(8), RANDOM))
                .withMessage("the vector must have 7 elements, but has 8");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> codec(50_000, 50_000, RowSelection.first(1)))
                .withMessage(
                        "the matrix must have from 1 to 2^31 - 1 elements, but has 50000 x 50000");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Codec.sampledRows(MODEL, 20, 93))
                .withMessage("the range must be within 92 elements, but is from 20 to 93");
    }

    @Test
    void rejectsANonFiniteValue() {
        Codec codec = codec(2, 3, RowSelection.first(2));
        Frame frame = encode(codec, TestingVectors.of(1, 2, 3, 4, 5, 6), RANDOM);
        frame.payload().set(JAVA_FLOAT_UNALIGNED, 8 + 4 * 4, Float.NaN);

        assertThatExceptionOfType(FrameCorrupt.class)
                .isThrownBy(() -> codec.decode(frame, RANDOM, TestingVectors.zeros(6)))
                .withMessage("a value must be finite, but was NaN at byte 24 of the payload");
    }

    @Test
    void rejectsNonzeroPadding() {
        Codec codec = codec(2, 3, RowSelection.first(2));
        Frame frame = encode(codec, TestingVectors.zeros(6), RANDOM);
        frame.payload().set(JAVA_BYTE, 7, (byte) 1);

        assertThatExceptionOfType(FrameCorrupt.class)
                .isThrownBy(() -> codec.decode(frame, RANDOM, TestingVectors.zeros(6)))
                .withMessage(
                        "the padding behind the ids must be 0, but was 1 at byte 7 of the payload");
    }

    /** A row of the second matrix has one more value than a row of the first. */
    @Test
    void rejectsAPayloadLengthThatDoesNotMatchTheIds() {
        Codec codec = Codec.sampledRows(MODEL);
        Frame frame = encode(codec, TestingVectors.zeros(LENGTH), RANDOM);
        frame.payload().set(JAVA_BYTE, 6, (byte) 4);

        assertThatExceptionOfType(FrameCorrupt.class)
                .isThrownBy(() -> codec.decode(frame, RANDOM, TestingVectors.zeros(LENGTH)))
                .withMessageStartingWith("the bytes of the payload must be ");
    }
}
