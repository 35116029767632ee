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

    private static final Chance CHANCE = new Chance(7, 1, 3);
    private static final int ROWS = 300;
    private static final int WIDTH = 1500;

    /** An embedding of 9 words, a hidden layer and 9 units, each with its bias: 27 + 20 + 45. */
    private static final List<Sliced> MODEL =
            List.of(
                    Sliced.byRows(9, 3, these(8, 0, 4)),
                    Sliced.byRows(5, 4, these(3)),
                    Sliced.byColumns(5, 9, these(1, 7)));

    private static final int LENGTH = 92;

    private static RowChoice these(int... rows) {
        return (_, chosen) -> IntStream.of(rows).forEach(chosen::set);
    }

    private static Codec codec(int rows, int width, RowChoice choice) {
        return Codec.sampledRows(List.of(Sliced.byRows(rows, width, choice)));
    }

    private static Frame encode(Codec codec, MemorySegment vector, Chance chance) {
        return codec.encode(vector, chance, TestingVectors.room(codec, Block.elements(vector)));
    }

    /** Written down without any of the codec's own arithmetic. */
    private static boolean isSent(int place) {
        if (place < 27) {
            return Set.of(0, 4, 8).contains(place / 3);
        }
        return place < 47 ? (place - 27) / 4 == 3 : Set.of(1, 7).contains((place - 47) % 9);
    }

    @Test
    void sendsWholeRowsAndNothingElse() {
        Codec codec = codec(ROWS, WIDTH, these(299, 0, 170, 0));
        MemorySegment matrix = TestingVectors.random(ROWS * WIDTH, 1);

        Frame frame = encode(codec, matrix, CHANCE);

        MemorySegment decoded = TestingVectors.decoded(codec, frame, CHANCE);
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

        Frame frame = encode(codec, vector, CHANCE);

        MemorySegment decoded = TestingVectors.decoded(codec, frame, CHANCE);
        for (int i = 0; i < LENGTH; i++) {
            assertThat(TestingVectors.get(decoded, i)).isEqualTo(isSent(i) ? i + 1 : 0);
        }
        assertThat(frame.payload().byteSize()).isEqualTo(12 + 4 * (3 * 3 + 4 + 2 * 5));
    }

    /** Wherever servers cut the vector, within rows as well. */
    @Test
    void anyRangeSendsWhatTheWholeSendsOfIt() {
        MemorySegment vector = TestingVectors.of(LENGTH, i -> i + 1);
        for (int from = 0; from <= LENGTH; from++) {
            for (int to = from; to <= LENGTH; to++) {
                Codec codec = Codec.sampledRows(MODEL, from, to);
                MemorySegment range = vector.asSlice(4L * from, 4L * (to - from));

                Frame frame = encode(codec, range, CHANCE);

                MemorySegment decoded = TestingVectors.decoded(codec, frame, CHANCE);
                for (int i = from; i < to; i++) {
                    assertThat(TestingVectors.get(decoded, i - from))
                            .isEqualTo(isSent(i) ? i + 1 : 0);
                }
            }
        }
    }

    @Test
    void valuesOfRanksThatChooseAlikeCanBeSummed() {
        Codec codec = Codec.sampledRows(MODEL);
        MemorySegment one = TestingVectors.integers(LENGTH, 1);
        MemorySegment other = TestingVectors.integers(LENGTH, 2);
        Frame frame = encode(codec, one, CHANCE);
        MemorySegment sum = codec.summands(frame);
        MemorySegment addend = codec.summands(encode(codec, other, CHANCE));

        for (long at = 0; at < sum.byteSize(); at += 4) {
            float total = sum.get(JAVA_FLOAT_UNALIGNED, at) + addend.get(JAVA_FLOAT_UNALIGNED, at);
            sum.set(JAVA_FLOAT_UNALIGNED, at, total);
        }

        MemorySegment decoded = TestingVectors.decoded(codec, frame, CHANCE);
        for (int i = 0; i < LENGTH; i++) {
            float both = TestingVectors.get(one, i) + TestingVectors.get(other, i);
            assertThat(TestingVectors.get(decoded, i)).isEqualTo(isSent(i) ? both : 0);
        }
    }

    @Test
    void allRowsTakeTheLargestPayload() {
        Codec codec = codec(ROWS, WIDTH, RowChoice.first(ROWS));

        Frame frame = encode(codec, TestingVectors.random(ROWS * WIDTH, 1), CHANCE);

        assertThat(frame.payload().byteSize())
                .isEqualTo(codec.largestPayload(ROWS * WIDTH))
                .isEqualTo(4 + ROWS + 4 * ROWS * WIDTH);
    }

    /** As far apart as one, two, three and four bytes reach, and one row farther. */
    @ParameterizedTest
    @CsvSource({"1, 1", "128, 1", "129, 2", "16384, 2", "16385, 3", "2097152, 3", "2097153, 4"})
    void idsTakeNoMoreBytesThanThereAreRows(int distance, int idBytes) {
        int count = Math.max(1, 100_000 / distance);
        int rows = count * distance;
        Codec codec = codec(rows, 1, (_, chosen) -> every(distance, chosen));

        Frame frame = encode(codec, TestingVectors.zeros(rows), CHANCE);

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
    void frequentRowsAreAlwaysSentAndOthersInTurns() {
        RowChoice choice = RowChoice.first(3).and(RowChoice.sampledBehind(3, 0.01));
        var all = new Bitmap();
        all.reset(ROWS);
        for (int round = 0; round < 2000; round++) {
            var rows = new Bitmap();
            rows.reset(ROWS);
            choice.choose(new Chance(1, round % 7, round), rows);

            assertThat(rows.count()).isEqualTo(3 + 3);
            assertThat(rows.contains(0) && rows.contains(1) && rows.contains(2)).isTrue();
            all.addAll(rows);
        }
        assertThat(all.count()).isEqualTo(ROWS);
    }

    @Test
    void refusesAVectorOfAnotherLength() {
        Codec codec = Codec.sampledRows(MODEL, 20, 27);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> encode(codec, TestingVectors.zeros(8), CHANCE))
                .withMessage("the vector must have 7 elements, but has 8");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> codec(50_000, 50_000, RowChoice.first(1)))
                .withMessage(
                        "the matrix must have from 1 to 2^31 - 1 elements, but has 50000 x 50000");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Codec.sampledRows(MODEL, 20, 93))
                .withMessage("the range must be within 92 elements, but is from 20 to 93");
    }

    @Test
    void refusesAValueThatIsNoNumber() {
        Codec codec = codec(2, 3, RowChoice.first(2));
        Frame frame = encode(codec, TestingVectors.of(1, 2, 3, 4, 5, 6), CHANCE);
        frame.payload().set(JAVA_FLOAT_UNALIGNED, 8 + 4 * 4, Float.NaN);

        assertThatExceptionOfType(FrameCorrupt.class)
                .isThrownBy(() -> codec.decode(frame, CHANCE, TestingVectors.zeros(6)))
                .withMessage("a value must be finite, but was NaN at byte 24 of the payload");
    }

    @Test
    void refusesIdsThatAreNotFilledUpWithZeros() {
        Codec codec = codec(2, 3, RowChoice.first(2));
        Frame frame = encode(codec, TestingVectors.zeros(6), CHANCE);
        frame.payload().set(JAVA_BYTE, 7, (byte) 1);

        assertThatExceptionOfType(FrameCorrupt.class)
                .isThrownBy(() -> codec.decode(frame, CHANCE, TestingVectors.zeros(6)))
                .withMessage("what fills up the ids must be 0, but was 1 at byte 7 of the payload");
    }

    /** A row of the second matrix has one value more than one of the first. */
    @Test
    void refusesValuesThatAreNotThoseOfTheIds() {
        Codec codec = Codec.sampledRows(MODEL);
        Frame frame = encode(codec, TestingVectors.zeros(LENGTH), CHANCE);
        frame.payload().set(JAVA_BYTE, 6, (byte) 4);

        assertThatExceptionOfType(FrameCorrupt.class)
                .isThrownBy(() -> codec.decode(frame, CHANCE, TestingVectors.zeros(LENGTH)))
                .withMessageStartingWith("the bytes of the payload must be ");
    }
}
