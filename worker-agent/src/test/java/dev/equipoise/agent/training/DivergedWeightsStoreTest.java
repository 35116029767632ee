package dev.equipoise.agent.training;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.protocol.RunId;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DivergedWeightsStoreTest {
    private static final RunId RUN = RunId.of(new UUID(0, 7));

    @TempDir private Path folder;

    private final MemorySegment parameters = Arena.ofAuto().allocateFrom(JAVA_FLOAT, 1f, -2f, 0.5f);
    private final LastFiniteWeights weights =
            new LastFiniteWeights(3, Arena.ofAuto(), (_, _) -> "not asked");

    @Test
    void areStoredInTheFileOfTheMessage() throws IOException {
        weights.update(parameters, 2, 3);
        String message = new DivergedWeightsStore(folder.resolve("new")).keep(RUN, weights);

        Path file = folder.resolve("new").resolve("run-%s.f32".formatted(RUN));
        assertThat(message)
                .isEqualTo(
                        "the last weights with a finite loss, of epoch 2, round 3, are stored in "
                                + file);
        ByteBuffer kept = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        assertThat(new float[] {kept.getFloat(), kept.getFloat(), kept.getFloat()})
                .containsExactly(1f, -2f, 0.5f);
        assertThat(kept.remaining()).isZero();
        try (Stream<Path> files = Files.list(folder.resolve("new"))) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void areCopiedPeriodically() {
        weights.update(parameters, 1, 1);
        parameters.setAtIndex(JAVA_FLOAT, 0, 7);
        weights.update(parameters, 1, 2);
        assertThat(weights.position()).isEqualTo("epoch 1, round 1");
        assertThat(weights.copy().getAtIndex(JAVA_FLOAT, 0)).isEqualTo(1);

        for (int round = 3; round <= 33; round++) {
            weights.update(parameters, 1, round);
        }
        assertThat(weights.position()).isEqualTo("epoch 1, round 33");
        assertThat(weights.copy().getAtIndex(JAVA_FLOAT, 0)).isEqualTo(7);
    }

    @Test
    void withoutAFiniteLossAreNotStored() {
        assertThat(new DivergedWeightsStore(folder).keep(RUN, weights))
                .isEqualTo("no earlier weights had a finite loss");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void onlyTheLatestFilesAreKept() throws IOException {
        weights.update(parameters, 1, 1);
        for (int run = 0; run < 7; run++) {
            new DivergedWeightsStore(folder).keep(RunId.of(new UUID(1, run)), weights);
        }

        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).hasSize(5);
        }
    }

    @Test
    void failureToStoreIsInTheMessage() throws IOException {
        weights.update(parameters, 1, 1);
        Path file = Files.writeString(folder.resolve("taken"), "no folder");

        assertThat(new DivergedWeightsStore(file).keep(RUN, weights))
                .startsWith("the last weights with a finite loss could not be stored in " + file);
    }

    @Test
    void folderFollowsTheEnvironment() {
        assertThat(
                        DivergedWeightsStore.fromEnvironment(Map.of("XDG_STATE_HOME", "/state"))
                                .folder())
                .isEqualTo(Path.of("/state/equipoise/weights"));
        assertThat(DivergedWeightsStore.fromEnvironment(Map.of("HOME", "/home/ada")).folder())
                .isEqualTo(Path.of("/home/ada/.local/state/equipoise/weights"));
    }
}
