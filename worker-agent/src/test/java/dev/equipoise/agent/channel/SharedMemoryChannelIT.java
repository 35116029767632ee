package dev.equipoise.agent.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.StreamCorruptedException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Ranks of one machine, which find out by themselves that they may share memory. */
class SharedMemoryChannelIT extends ChannelContract {

    private final List<TestingMesh> meshes = new ArrayList<>();

    @Override
    protected List<Channel> join(int size) {
        TestingMesh mesh = TestingMesh.sharingMemory(size);
        meshes.add(mesh);
        return mesh.connectAll();
    }

    @AfterEach
    void closeMeshes() {
        meshes.forEach(TestingMesh::close);
    }

    @Test
    void leavesNoFileBehind() throws IOException {
        join(3).forEach(Channel::close);

        try (Stream<Path> files = Files.list(Path.of("/dev/shm"))) {
            assertThat(files.filter(it -> it.getFileName().toString().startsWith("equipoise-")))
                    .isEmpty();
        }
    }

    @Test
    void aRingPassesBytesInOrderRoundAndRound() throws IOException {
        MemorySegment memory = Arena.ofAuto().allocate(SharedRing.BYTES, Long.BYTES);
        var writer = new SharedRing(memory);
        var reader = new SharedRing(memory);
        ByteBuffer out = ByteBuffer.allocateDirect(700_001);
        ByteBuffer in = ByteBuffer.allocateDirect(700_001);

        for (int round = 0; round < 10; round++) {
            for (int i = 0; i < out.capacity(); i++) {
                out.put(i, (byte) (i * 31 + round));
            }
            assertThat(writer.write(out.clear())).isEqualTo(out.capacity());
            assertThat(reader.read(in.clear())).isEqualTo(in.capacity());
            assertThat(in.flip()).isEqualTo(out.flip());
        }
    }

    @Test
    void aFullRingTakesNothingMore() throws IOException {
        MemorySegment memory = Arena.ofAuto().allocate(SharedRing.BYTES, Long.BYTES);
        var writer = new SharedRing(memory);
        ByteBuffer much = ByteBuffer.allocateDirect(SharedRing.CAPACITY + 1);

        assertThat(writer.write(much)).isEqualTo(SharedRing.CAPACITY);
        assertThat(writer.write(much)).isZero();
    }

    @Test
    void refusesACounterThatCannotBe() {
        MemorySegment memory = Arena.ofAuto().allocate(SharedRing.BYTES, Long.BYTES);
        memory.set(ValueLayout.JAVA_LONG, 0, SharedRing.CAPACITY + 1L);

        assertThatExceptionOfType(StreamCorruptedException.class)
                .isThrownBy(() -> new SharedRing(memory).read(ByteBuffer.allocateDirect(8)))
                .withMessageContaining("at most 1048576 bytes ahead");
    }
}
