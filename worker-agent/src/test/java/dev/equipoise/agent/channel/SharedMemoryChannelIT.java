package dev.equipoise.agent.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.io.StreamCorruptedException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ranks on one host, which detect that they may share memory. */
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
    void ranksOnOneHostShareMemoryAndLeaveNoFile(@TempDir Path folder) throws IOException {
        TestingMesh mesh =
                mesh(List.of(Optional.of(folder), Optional.of(folder), Optional.of(folder)));

        List<Map<Integer, Connection>> ranks = mesh.assembleAll();

        assertThat(ranks)
                .hasSize(3)
                .allSatisfy(peers ->
                        assertThat(peers.values())
                                .hasSize(2)
                                .extracting(Connection::memory)
                                .doesNotContainNull());
        assertThat(folder).isEmptyDirectory();
        close(ranks);
    }

    @Test
    void fallsBackToTheSocketIfOneSideSharesNoMemory(@TempDir Path folder) {
        assertExchange(mesh(List.of(Optional.of(folder), Optional.empty())));
        assertExchange(mesh(List.of(Optional.empty(), Optional.of(folder))));
    }

    /** Simulates a host without space for more shared memory. */
    @Test
    void fallsBackToTheSocketIfNoMemoryCanBeCreated(@TempDir Path folder) {
        Path missing = folder.resolve("missing");

        assertExchange(mesh(List.of(Optional.of(missing), Optional.of(missing))));
        assertExchange(mesh(List.of(Optional.of(missing), Optional.of(folder))));
        assertExchange(mesh(List.of(Optional.of(folder), Optional.of(missing))));
        assertThat(folder).isEmptyDirectory();
    }

    private void assertExchange(TestingMesh mesh) {
        List<Map<Integer, Connection>> ranks = mesh.assembleAll();
        assertThat(ranks)
                .allSatisfy(peers ->
                        assertThat(peers.values())
                                .extracting(Connection::memory)
                                .containsOnlyNulls());
        close(ranks);

        List<Channel> channels = mesh.connectAll();
        TestingRanks.run(
                channels,
                channel -> {
                    int peer = 1 - channel.rank();
                    byte[] out = {(byte) (channel.rank() + 7)};
                    byte[] in = new byte[1];
                    channel.exchange(
                            peer, MemorySegment.ofArray(out), peer, MemorySegment.ofArray(in));
                    assertThat(in).containsExactly(peer + 7);
                });
        channels.forEach(Channel::close);
    }

    private static void close(List<Map<Integer, Connection>> ranks) {
        ranks.stream().flatMap(peers -> peers.values().stream()).forEach(Sockets::closeQuietly);
    }

    private TestingMesh mesh(List<Optional<Path>> folders) {
        TestingMesh mesh = TestingMesh.of(folders);
        meshes.add(mesh);
        return mesh;
    }

    @Test
    void aWritingRankDetectsAtOnceThatItsPeerIsGone() {
        List<Channel> channels = join(2);
        MemorySegment much = Arena.ofAuto().allocate(4L << 20);
        channels.getFirst().send(1, PayloadType.PLAIN, much, 0, much.byteSize());
        channels.getLast().send(0, PayloadType.PLAIN, much, 0, 1 << 10);
        channels.getLast().awaitSent(0);
        channels.getLast().close();

        assertThatExceptionOfType(ChannelFailed.class)
                .isThrownBy(() -> channels.getFirst().awaitSent(1))
                .satisfies(failed ->
                        assertThat(failed.reason()).isEqualTo(ChannelFailed.Reason.PEER_LOST));
    }

    @Test
    void unmappedMemoryIsNotAccessed(@TempDir Path folder) throws IOException {
        SharedMemory memory = SharedMemory.create(folder, UUID.randomUUID());
        SharedRing ring = memory.outgoing();
        memory.close();
        memory.close();

        assertThatIllegalStateException()
                .isThrownBy(() -> ring.write(ByteBuffer.allocateDirect(8)));
    }

    @Test
    void aRingKeepsTheByteOrderWhenItWraps() throws IOException {
        MemorySegment memory = Arena.ofAuto().allocate(SharedRing.BYTES, Long.BYTES);
        var writer = new SharedRing(memory);
        var reader = new SharedRing(memory);
        ByteBuffer out = ByteBuffer.allocateDirect(200_001);
        ByteBuffer in = ByteBuffer.allocateDirect(200_001);

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
    void aFullRingAcceptsNoByte() throws IOException {
        MemorySegment memory = Arena.ofAuto().allocate(SharedRing.BYTES, Long.BYTES);
        var writer = new SharedRing(memory);
        ByteBuffer much = ByteBuffer.allocateDirect(SharedRing.CAPACITY + 1);

        assertThat(writer.write(much)).isEqualTo(SharedRing.CAPACITY);
        assertThat(writer.write(much)).isZero();
    }

    @Test
    void writerWakesASleepingReaderOnce() throws IOException {
        MemorySegment memory = Arena.ofAuto().allocate(SharedRing.BYTES, Long.BYTES);
        var writer = new SharedRing(memory);
        var reader = new SharedRing(memory);
        writer.write(ByteBuffer.allocateDirect(8));
        assertThat(writer.mustWakeReader()).isFalse();

        reader.announceSleepOfReader();

        assertThat(writer.mustWakeReader()).isTrue();
        assertThat(writer.mustWakeReader()).isFalse();
        assertThat(reader.mustWakeWriter()).isFalse();
    }

    @Test
    void readerWakesASleepingWriterOnce() throws IOException {
        MemorySegment memory = Arena.ofAuto().allocate(SharedRing.BYTES, Long.BYTES);
        var writer = new SharedRing(memory);
        var reader = new SharedRing(memory);
        writer.write(ByteBuffer.allocateDirect(SharedRing.CAPACITY));

        writer.announceSleepOfWriter();
        reader.read(ByteBuffer.allocateDirect(8));

        assertThat(reader.mustWakeWriter()).isTrue();
        assertThat(reader.mustWakeWriter()).isFalse();
    }

    @Test
    void rejectsAnImpossibleCounter() {
        MemorySegment memory = Arena.ofAuto().allocate(SharedRing.BYTES, Long.BYTES);
        memory.set(ValueLayout.JAVA_LONG, 0, SharedRing.CAPACITY + 1L);

        assertThatExceptionOfType(StreamCorruptedException.class)
                .isThrownBy(() -> new SharedRing(memory).read(ByteBuffer.allocateDirect(8)))
                .withMessageContaining("at most 262144 bytes ahead");
    }
}
