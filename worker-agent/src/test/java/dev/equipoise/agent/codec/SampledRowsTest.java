package dev.equipoise.agent.codec;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SampledRowsTest {

    private static final Chance CHANCE = new Chance(7, 1, 3);
    private static final int ROWS = 300;
    private static final int WIDTH = 1500;

    private static Frame encode(Codec codec, MemorySegment matrix, Chance chance) {
        return codec.encode(matrix, chance, TestingVectors.room(codec, Block.elements(matrix)));
    }

    @Test
    void sendsWholeRowsAndNothingElse() {
        Codec codec =
                Codec.sampledRows(
                        ROWS,
                        WIDTH,
                        (_, rows) -> {
                            rows.set(299);
                            rows.set(0);
                            rows.set(170);
                            rows.set(0);
                        });
        MemorySegment matrix = TestingVectors.random(ROWS * WIDTH, 1);

        Frame frame = encode(codec, matrix, CHANCE);

        MemorySegment decoded = TestingVectors.decoded(codec, frame, CHANCE);
        for (int i = 0; i < ROWS * WIDTH; i++) {
            int row = i / WIDTH;
            boolean sent = row == 0 || row == 170 || row == 299;
            assertThat(TestingVectors.get(decoded, i))
                    .isEqualTo(sent ? TestingVectors.get(matrix, i) : 0);
        }
        assertThat(frame.bytes()).isEqualTo(32 + 4 + (1 + 2 + 2) + 3 * 4 * WIDTH);
    }

    @Test
    void allRowsTakeTheLargestPayload() {
        Codec codec = Codec.sampledRows(ROWS, WIDTH, RowChoice.first(ROWS));

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
        Codec codec = Codec.sampledRows(rows, 1, (_, chosen) -> every(distance, chosen));

        Frame frame = encode(codec, TestingVectors.zeros(rows), CHANCE);

        assertThat(frame.payload().byteSize())
                .isEqualTo(4 + (idBytes + 4L) * count)
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
            for (int row = 0; row < ROWS; row++) {
                if (rows.contains(row)) {
                    all.set(row);
                }
            }
        }
        assertThat(all.count()).isEqualTo(ROWS);
    }

    @Test
    void refusesAMatrixOfAnotherSize() {
        Codec codec = Codec.sampledRows(2, 3, RowChoice.first(1));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> encode(codec, TestingVectors.zeros(7), CHANCE))
                .withMessage("the vector must have 2 x 3 elements, but has 7");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Codec.sampledRows(50_000, 50_000, RowChoice.first(1)))
                .withMessage(
                        "the matrix must have from 1 to 2^31 - 1 elements, but has 50000 x 50000");
    }

    @Test
    void refusesAValueThatIsNoNumber() {
        Codec codec = Codec.sampledRows(2, 3, RowChoice.first(2));
        Frame frame = encode(codec, TestingVectors.of(1, 2, 3, 4, 5, 6), CHANCE);
        frame.payload().set(JAVA_FLOAT_UNALIGNED, 6 + 4 * 4, Float.NaN);

        assertThatExceptionOfType(FrameCorrupt.class)
                .isThrownBy(() -> codec.decode(frame, CHANCE, TestingVectors.zeros(6)))
                .withMessage("a value must be finite, but was NaN at byte 22 of the payload");
    }
}
