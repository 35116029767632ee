package dev.equipoise.agent.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class IndexCodingTest {

    private static Bitmap set(int size, int... indices) {
        var set = new Bitmap();
        set.reset(size);
        for (int index : indices) {
            set.set(index);
        }
        return set;
    }

    private static Bitmap random(int size, double density, long seed) {
        var random = new SplittableRandom(seed);
        var set = set(size);
        for (int i = 0; i < size; i++) {
            if (random.nextDouble() < density) {
                set.set(i);
            }
        }
        return set;
    }

    @ParameterizedTest
    @EnumSource
    void decodesWhatItEncoded(IndexCoding coding) {
        for (int size : new int[] {0, 1, 2, 7, 8, 9, 63, 64, 65, 1000, 100_000}) {
            for (double density : new double[] {0, 0.001, 0.03, 0.5, 1}) {
                Bitmap written = random(size, density, size);
                int count = written.count();
                long bytes = coding.bytes(written, count);
                MemorySegment payload = Arena.ofAuto().allocate(bytes + 4L * count);
                coding.write(written, count, payload.asSlice(0, bytes));

                Bitmap read = set(size);

                assertThat(coding.read(payload, read)).isEqualTo(bytes);
                assertThat(Arrays.equals(written.words(), read.words())).isTrue();
            }
        }
    }

    @Test
    void choosesTheShortestCoding() {
        for (double density = 1; density > 1e-5; density *= 0.9) {
            Bitmap set = random(20_000, density, 3);
            int count = set.count();

            assertThat(IndexCoding.shortest(set, count).bytes(set, count))
                    .isEqualTo(
                            Arrays.stream(IndexCoding.values())
                                    .map(coding -> coding.bytes(set, count))
                                    .min(Comparator.naturalOrder())
                                    .orElseThrow());
        }
    }

    /** docs/algorithms.md, section 6: a list beats a bitmap below a density of 1/32. */
    @Test
    void sizesFollowTheFormulas() {
        Bitmap set = set(6400);
        for (int i = 0; i < 199; i++) {
            set.set(32 * i);
        }

        assertThat(IndexCoding.LIST.bytes(set, 199)).isEqualTo(4 * 199);
        assertThat(IndexCoding.BITMAP.bytes(set, 199)).isEqualTo(6400 / 8);
        assertThat(IndexCoding.DELTA_VARINT.bytes(set, 199)).isEqualTo(4 + 199);
    }

    @Test
    void gapsAreEncodedAsLeb128() {
        Bitmap set = set(1_000_000, 0, 1, 129, 258, 16_643, 999_999);
        MemorySegment payload =
                Arena.ofAuto().allocate(IndexCoding.DELTA_VARINT.bytes(set, set.count()));

        IndexCoding.DELTA_VARINT.write(set, set.count(), payload);

        assertThat(HexFormat.of().formatHex(payload.toArray(JAVA_BYTE)))
                .isEqualTo("06000000" + "00" + "00" + "7f" + "8001" + "808001" + "bb823c");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "LIST | 0900000000000000 | an index must be above -1 and below 9, but was 9 at byte"
                        + " 0",
                "LIST | ffffffff00000000 | an index must be above -1 and below 9, but was"
                        + " 4294967295 at"
                        + " byte 0",
                "LIST | 04000000040000000000000000000000 | an index must be above 4 and below 9,"
                        + " but was"
                        + " 4 at byte 4",
                "BITMAP | 01 | the bitmap must have 2 bytes, but was 1 at byte 0",
                "BITMAP | 0102 | the bits behind the last index must be 0, but was 1 at byte 1",
                "DELTA_VARINT | 010000 | the number of indices must have 4 bytes, but was 3 at byte"
                        + " 0",
                "DELTA_VARINT | 0a000000 | the number of indices must be at most 9, but was 10 at"
                        + " byte 0",
                "DELTA_VARINT | ffffffff | the number of indices must be at most 9, but was"
                        + " 4294967295 at"
                        + " byte 0",
                "DELTA_VARINT | 0100000009 | an index must be above -1 and below 9, but was 9 at"
                        + " byte 4",
                "DELTA_VARINT | 020000000801 | an index must be above 8 and below 9, but was 10 at"
                        + " byte"
                        + " 5",
                "DELTA_VARINT | 0100000080 | a number must end before byte 5, but was 5 at byte 4",
                "DELTA_VARINT | 010000008000 | a number must use the fewest possible bytes, but was"
                        + " 2 at"
                        + " byte 4",
                "DELTA_VARINT | 01000000ffffffff0f | a number must be below 2^31, but was"
                        + " 4294967295 at"
                        + " byte 4",
                "DELTA_VARINT | 01000000ffffffffff | a number must have at most 5 bytes, but was"
                        + " longer"
                        + " at byte 4"
            })
    void rejectsInvalidPayloads(IndexCoding coding, String payload, String message) {
        byte[] bytes = HexFormat.of().parseHex(payload);
        MemorySegment segment =
                Arena.ofAuto().allocate(bytes.length).copyFrom(MemorySegment.ofArray(bytes));

        assertThatExceptionOfType(FrameCorrupt.class)
                .isThrownBy(() -> coding.read(segment, set(9)))
                .withMessage(message + " of the payload");
    }

    @Test
    void rejectsUnknownFlags() {
        assertThatExceptionOfType(FrameCorrupt.class)
                .isThrownBy(() -> IndexCoding.of(3))
                .withMessage(
                        "the index coding must be below 3, but was 3 at byte 0 of the payload");
    }
}
