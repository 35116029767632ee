package dev.equipoise.agent.checkpoint;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.checkpoint.CheckpointHeader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class CheckpointFileTest {

    private static final RunId RUN = RunId.of(new UUID(7, 9));
    private static final int EPOCH = 3;
    private static final int PARAMETERS = 40_000;
    private static final int RANKS = 2;
    private static final List<Long> NUMBERS = List.of(18L, -5L, Long.MIN_VALUE, 1L << 40);

    private final Arena memory = Arena.ofAuto();
    private final List<MemorySegment> tensors = List.of(random(1), random(2), random(3));
    private final RankStatePart part = part(tensors);
    private final CheckpointHeader header = part.header(RUN, 2, EPOCH, RANKS);

    private MemorySegment random(long seed) {
        var random = new SplittableRandom(seed);
        MemorySegment tensor = memory.allocate(JAVA_FLOAT, PARAMETERS);
        for (int i = 0; i < PARAMETERS; i++) {
            tensor.setAtIndex(JAVA_FLOAT, i, random.nextFloat() - 0.5f);
        }
        return tensor;
    }

    /** Returns a part with two common tensors and one own tensor. */
    private static RankStatePart part(List<MemorySegment> tensors) {
        return new RankStatePart(0, NUMBERS, tensors.subList(0, 2), tensors.subList(2, 3));
    }

    private byte[] written() throws IOException {
        try (var stream = new CheckpointStream(header, part)) {
            return stream.readAllBytes();
        }
    }

    private List<MemorySegment> empty() {
        return tensors.stream().map(it -> memory.allocate(it.byteSize(), Float.BYTES)).toList();
    }

    private long[] read(byte[] bytes, RunId run, int epoch, int ranks) throws IOException {
        return new CheckpointReader(run, epoch)
                .read(new ByteArrayInputStream(bytes), ranks, part(empty()));
    }

    private static void assertCorrupt(ThrowingCallable reading, String reason) {
        assertThatThrownBy(reading)
                .isInstanceOf(CheckpointReader.Corrupt.class)
                .hasMessageContaining(reason);
    }

    @Test
    void readsWhatWasWritten() throws IOException {
        List<MemorySegment> read = empty();

        long[] numbers =
                new CheckpointReader(RUN, EPOCH)
                        .read(new ByteArrayInputStream(written()), RANKS, part(read));

        assertThat(numbers).containsExactly(18, -5, Long.MIN_VALUE, 1L << 40);
        for (int i = 0; i < tensors.size(); i++) {
            assertThat(read.get(i).mismatch(tensors.get(i))).isEqualTo(-1);
        }
    }

    @Test
    void hasTheLengthOfItsHeader() throws IOException {
        byte[] bytes = written();

        assertThat(bytes).hasSize((int) header.fileBytes());
        assertThat(CheckpointHeader.read(Arrays.copyOf(bytes, CheckpointHeader.BYTES)))
                .isEqualTo(header);
    }

    @Test
    void detectsAFlippedBitAnywhere() throws IOException {
        byte[] whole = written();
        int states = CheckpointHeader.BYTES;
        for (int at : List.of(states, states + 60, whole.length / 2, whole.length - 1)) {
            byte[] other = whole.clone();
            other[at] ^= 4;

            assertCorrupt(() -> read(other, RUN, EPOCH, 2), "digest does not match");
        }
    }

    @Test
    void rejectsATruncatedOrExtendedFile() throws IOException {
        byte[] whole = written();

        for (int length : List.of(0, 10, CheckpointHeader.BYTES, 5_000, whole.length - 1)) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertCorrupt(() -> read(cut, RUN, EPOCH, 2), "ends too early");
        }
        byte[] more = Arrays.copyOf(whole, whole.length + 1);
        assertCorrupt(() -> read(more, RUN, EPOCH, 2), "digest does not match");
    }

    @Test
    void rejectsAnotherCheckpoint() throws IOException {
        byte[] whole = written();
        byte[] text =
                "something else altogether, of some length, that is no checkpoint".getBytes(UTF_8);
        byte[] later = whole.clone();
        later[8] = 3;

        assertCorrupt(() -> read(whole, RunId.of(new UUID(0, 1)), EPOCH, 2), "it must be");
        assertCorrupt(() -> read(whole, RUN, EPOCH + 1, 2), "it must be");
        assertCorrupt(() -> read(whole, RUN, EPOCH, 3), "it must be");
        assertCorrupt(() -> read(text, RUN, EPOCH, 2), "does not begin with the magic bytes");
        assertCorrupt(() -> read(later, RUN, EPOCH, 2), "version must be 2, but was 3");
    }

    @Test
    void readsCommonOrOwnTensorsAlone() throws IOException {
        List<MemorySegment> read = empty();
        var common = new RankStatePart(0, List.of(), read.subList(0, 2), List.of());
        var own = new RankStatePart(0, List.of(), List.of(), read.subList(2, 3));

        new CheckpointReader(RUN, EPOCH).read(new ByteArrayInputStream(written()), RANKS, common);
        assertThat(read.get(1).mismatch(tensors.get(1))).isEqualTo(-1);
        assertThat(read.get(2).mismatch(tensors.get(2))).isNotEqualTo(-1);

        new CheckpointReader(RUN, EPOCH).read(new ByteArrayInputStream(written()), RANKS, own);
        assertThat(read.get(2).mismatch(tensors.get(2))).isEqualTo(-1);
    }

    @Test
    void onlyRank0WritesCommonTensors() {
        assertThatThrownBy(() ->
                        new RankStatePart(1, NUMBERS, tensors, List.of()).header(RUN, 2, EPOCH, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("common must be from 0 to 0");
    }

    @Test
    void rejectsAPartThatDoesNotFitItsHeader() {
        var shorter = new RankStatePart(0, NUMBERS, tensors.subList(0, 1), List.of());

        assertThatThrownBy(() -> new CheckpointStream(header, shorter))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
