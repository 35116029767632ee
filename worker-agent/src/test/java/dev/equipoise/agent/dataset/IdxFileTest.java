package dev.equipoise.agent.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.util.Arrays;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class IdxFileTest {
    private static final byte[] IMAGES = TestingIdx.images(3);
    private static final byte[] LABELS = TestingIdx.labels(3);

    @Test
    void readsValuesBehindTheHeader() {
        assertThat(idx(IMAGES).images(TestingIdx.SHAPE))
                .hasSize(18)
                .startsWith(0, 1, 2)
                .endsWith(24, 25);
        assertThat(idx(LABELS).labels(3, 4)).containsExactly(0, 1, 2);
    }

    @Test
    void namesTheOffsetOfAnError() {
        assertCorrupt(
                () -> idx(LABELS).images(TestingIdx.SHAPE),
                "file, byte 0: magic number must be 2051, but was 2049");
        assertCorrupt(
                () -> idx(with(IMAGES, 15, 4)).images(TestingIdx.SHAPE),
                "file, byte 12: width must be 3, but was 4");
        assertCorrupt(
                () -> idx(LABELS).labels(4, 4),
                "file, byte 4: number of labels must be 4, but was 3");
        assertCorrupt(
                () -> idx(with(LABELS, 9, 200)).labels(3, 4),
                "file, byte 9: label must be below 4, but was 200");
    }

    @Test
    void namesTheOffsetOfMissingOrExtraData() {
        assertCorrupt(() -> idx(Arrays.copyOf(IMAGES, 6)).images(TestingIdx.SHAPE), "byte 6: ");
        assertCorrupt(
                () -> idx(Arrays.copyOf(IMAGES, 30)).images(TestingIdx.SHAPE),
                "byte 30: header announces 18 values, but 14 follow");
        assertCorrupt(
                () -> idx(Arrays.copyOf(LABELS, 12)).labels(3, 4),
                "byte 11: header announces 3 values, but 4 follow");
        assertCorrupt(() -> idx(new byte[0]).labels(3, 4), "byte 0: ends within its header");
        assertCorrupt(
                () -> idx(with(IMAGES, 4, 0x80)).images(TestingIdx.SHAPE),
                "byte 4: number of images must be at least 1, but was -2147483645");
        assertCorrupt(
                () -> idx(TestingIdx.images(0)).images(TestingIdx.SHAPE),
                "byte 4: number of images must be at least 1, but was 0");
    }

    private static IdxFile idx(byte[] content) {
        return new IdxFile(new Content(Path.of("file"), content, Content.Origin.PUBLISHED));
    }

    private static byte[] with(byte[] content, int offset, int value) {
        byte[] changed = content.clone();
        changed[offset] = (byte) value;
        return changed;
    }

    private static void assertCorrupt(ThrowingCallable read, String message) {
        assertThatExceptionOfType(DatasetCorrupt.class)
                .isThrownBy(read)
                .withMessageContaining(message);
    }
}
