package dev.equipoise.app.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.protocol.RunId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Contract of all checkpoint stores. */
abstract class CheckpointStoreContract {

    private static final Instant LONG_AGO = Instant.parse("2000-01-01T00:00:00Z");
    private static final Instant FAR_AHEAD = Instant.parse("2200-01-01T00:00:00Z");

    final RunId run = RunId.of(UUID.randomUUID());

    @TempDir private Path arrived;

    abstract CheckpointStore store();

    final CheckpointPart part(int epoch, int rank) {
        return new CheckpointPart(run, epoch, 1, rank);
    }

    final byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        new Random(count).nextBytes(bytes);
        return bytes;
    }

    final void take(CheckpointPart part, byte[] bytes) throws IOException {
        store().take(part, Files.write(arrived.resolve("arrived"), bytes));
    }

    private byte[] read(CheckpointPart part) throws IOException {
        StoredPart stored = store().open(part).orElseThrow();
        try (var content = stored.content()) {
            byte[] all = content.readAllBytes();
            assertThat(all).hasSize(Math.toIntExact(stored.bytes()));
            return all;
        }
    }

    @Test
    void storedPartHasItsBytes() throws IOException {
        take(part(1, 0), bytes(3_000_000));
        take(part(1, 1), bytes(96));

        assertThat(read(part(1, 0))).isEqualTo(bytes(3_000_000));
        assertThat(read(part(1, 1))).isEqualTo(bytes(96));
    }

    @Test
    void laterPartReplacesOneOfTheSameName() throws IOException {
        take(part(1, 0), bytes(1000));
        take(part(1, 0), bytes(2000));

        assertThat(read(part(1, 0))).isEqualTo(bytes(2000));
        assertThat(store().of(run)).containsExactly(part(1, 0));
    }

    @Test
    void missingPartIsEmpty() throws IOException {
        assertThat(store().open(part(1, 0))).isEmpty();
        assertThat(store().of(run)).isEmpty();
        store().remove(part(1, 0));
    }

    @Test
    void partiallyReadContentMayBeClosed() throws IOException {
        take(part(1, 0), bytes(3_000_000));

        for (int time = 0; time < 3; time++) {
            try (var content = store().open(part(1, 0)).orElseThrow().content()) {
                assertThat(content.readNBytes(10)).startsWith(bytes(3_000_000)[0]);
            }
        }
        assertThat(read(part(1, 0))).hasSize(3_000_000);
    }

    @Test
    void partsAreListedByRun() throws IOException {
        RunId other = RunId.of(UUID.randomUUID());
        take(part(1, 0), bytes(10));
        take(part(12, 3), bytes(10));
        take(new CheckpointPart(other, 1, 1, 0), bytes(10));

        assertThat(store().of(run)).containsExactlyInAnyOrder(part(1, 0), part(12, 3));
        assertThat(store().of(other)).hasSize(1);
    }

    @Test
    void removalAffectsOnePart() throws IOException {
        take(part(1, 0), bytes(10));
        take(part(1, 1), bytes(10));

        store().remove(part(1, 0));

        assertThat(store().of(run)).containsExactly(part(1, 1));
        assertThat(store().open(part(1, 0))).isEmpty();
    }

    @Test
    void modelsAreListedApartFromParts() throws IOException {
        var model = new ModelFile(run, 3, 1, 0, new UUID(4, 5));
        take(part(1, 0), bytes(10));
        store().take(model, Files.write(arrived.resolve("arrived"), bytes(20)));

        assertThat(store().of(run)).containsExactly(part(1, 0));
        assertThat(store().modelsOf(run)).containsExactly(model);
        assertThat(store().modelsWrittenBefore(FAR_AHEAD)).contains(model);
        assertThat(store().modelsWrittenBefore(LONG_AGO)).isEmpty();
        try (var content = store().open(model).orElseThrow().content()) {
            assertThat(content).hasBinaryContent(bytes(20));
        }
        store().remove(model);
        assertThat(store().modelsOf(run)).isEmpty();
        assertThat(store().of(run)).containsExactly(part(1, 0));
    }

    @Test
    void partsWrittenBeforeAMomentAreListed() throws IOException {
        take(part(1, 0), bytes(10));

        assertThat(store().writtenBefore(FAR_AHEAD)).contains(part(1, 0));
        assertThat(store().writtenBefore(LONG_AGO)).isEmpty();
    }
}
