package dev.equipoise.agent.replica;

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

class LastWeightsTest {
    private static final RunId RUN = RunId.of(new UUID(0, 7));

    @TempDir private Path folder;

    private final MemorySegment weights = Arena.ofAuto().allocateFrom(JAVA_FLOAT, 1f, -2f, 0.5f);

    @Test
    void areKeptInAFileThatTheMessageNames() throws IOException {
        String message = new LastWeights(folder.resolve("new")).keep(RUN, 2, 3, weights);

        Path file = folder.resolve("new").resolve("run-%s-epoch-2-round-3.f32".formatted(RUN));
        assertThat(message).isEqualTo("the weights before it are kept in " + file);
        ByteBuffer kept = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        assertThat(new float[] {kept.getFloat(), kept.getFloat(), kept.getFloat()})
                .containsExactly(1f, -2f, 0.5f);
        assertThat(kept.remaining()).isZero();
        try (Stream<Path> files = Files.list(folder.resolve("new"))) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void thatCannotBeKeptAreToldOf() throws IOException {
        Path file = Files.writeString(folder.resolve("taken"), "no folder");

        assertThat(new LastWeights(file).keep(RUN, 1, 1, weights))
                .startsWith("the weights before it could not be kept in " + file);
    }

    @Test
    void areKeptWhereTheEnvironmentSays() {
        assertThat(LastWeights.fromEnvironment(Map.of("XDG_STATE_HOME", "/state")).folder())
                .isEqualTo(Path.of("/state/equipoise/weights"));
        assertThat(LastWeights.fromEnvironment(Map.of("HOME", "/home/ada")).folder())
                .isEqualTo(Path.of("/home/ada/.local/state/equipoise/weights"));
    }
}
