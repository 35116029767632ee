package dev.equipoise.agent.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TouchedRowsTest {

    private static final CodecRandom NONE = new CodecRandom(0, 0, 0);

    private final TouchedRows words = new TouchedRows(200, 200);

    private static List<Integer> rows(RowSelection choice) {
        var rows = new Bitmap();
        rows.reset(200);
        choice.choose(NONE, rows);
        return IntStream.range(0, 200).filter(rows::contains).boxed().toList();
    }

    private static MemorySegment written(TouchedRows words) {
        MemorySegment buffer = Arena.ofAuto().allocate(words.mostBytes());
        return buffer.asSlice(0, words.write(buffer));
    }

    @Test
    void sendsTheWordsTouchedUntilTheLastSwap() {
        words.addInput(3);
        words.addInput(199);
        words.addLabel(0);
        assertThat(rows(words.inputs())).isEmpty();

        words.swap();
        words.addInput(64);

        assertThat(rows(words.inputs())).containsExactly(3, 199);
        assertThat(rows(words.labels())).containsExactly(0);

        words.swap();

        assertThat(rows(words.inputs())).containsExactly(64);
        assertThat(rows(words.labels())).isEmpty();
    }

    @Test
    void sendsTheWordsOfOtherRanksAsWell() {
        var other = new TouchedRows(200, 200);
        other.addInput(7);
        other.addLabel(199);
        other.swap();
        words.addInput(5);
        words.swap();

        words.merge(written(other));

        assertThat(rows(words.inputs())).containsExactly(5, 7);
        assertThat(rows(words.labels())).containsExactly(199);
    }

    @Test
    void sendsRestoredWordsAfterTheNextSwap() {
        words.addInput(3);
        words.addLabel(199);
        var restored = new TouchedRows(200, 200);
        for (int block = 0; block < words.blocks(); block++) {
            restored.restore(block, words.touched(block));
        }

        restored.swap();

        assertThat(rows(restored.inputs())).containsExactly(3);
        assertThat(rows(restored.labels())).containsExactly(199);
    }

    @Test
    void rejectsInvalidBytes() {
        words.addInput(199);
        words.swap();
        MemorySegment written = written(words);

        assertThatExceptionOfType(FrameCorrupt.class)
                .isThrownBy(() -> new TouchedRows(100, 99).merge(written));
        assertThatExceptionOfType(FrameCorrupt.class)
                .isThrownBy(() -> words.merge(written.asSlice(0, 5)));
        assertThatExceptionOfType(FrameCorrupt.class)
                .isThrownBy(() -> words.merge(Arena.ofAuto().allocate(5)))
                .withMessage(
                        "the bytes of the touched rows must be 4, but was 5 at byte 0 of the"
                                + " payload");
    }
}
