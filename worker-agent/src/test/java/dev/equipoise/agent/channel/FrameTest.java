package dev.equipoise.agent.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.equipoise.agent.channel.FrameChecksum.Cover;
import dev.equipoise.agent.channel.FrameQueue.Post;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

class FrameTest {

    private static final int SENDER = 4;
    private static final int GENERATION = 9;

    private final TestingWire wire = new TestingWire(7);
    private final FrameWriter writer = new FrameWriter(SENDER, GENERATION, Cover.FRAME);
    private final FrameReader reader = new FrameReader(SENDER, GENERATION, Cover.FRAME);

    @Test
    void headerHasTheDocumentedLayout() throws IOException {
        write(writer, new byte[8]);

        ByteBuffer header = wire.bytes().order(ByteOrder.LITTLE_ENDIAN);
        assertThat(header.getInt(0)).isEqualTo(0x45515046);
        assertThat(header.getInt(4)).isEqualTo(1 << 24 | 2);
        assertThat(header.getInt(8)).isEqualTo(SENDER);
        assertThat(header.getInt(12)).isEqualTo(1);
        assertThat(header.getInt(16)).isEqualTo(GENERATION);
        assertThat(header.getInt(20)).isEqualTo(2);
        assertThat(header.getInt(24)).isEqualTo(8);
        // CRC-32C of the 28 bytes before it and eight zeros, computed bit by bit outside of Java.
        assertThat(header.getInt(28)).isEqualTo(0x24981ad6);
        assertThat(header.remaining()).isEqualTo(32 + 8);
    }

    @Test
    void framesSurviveFragmentation() throws IOException {
        for (int bytes = 0; bytes < 100; bytes++) {
            byte[] payload = payload(bytes);
            write(writer, payload);

            assertThat(read(bytes)).isEqualTo(payload);
        }
    }

    @Test
    void dropsFramesOfAnotherGeneration() throws IOException {
        write(new FrameWriter(SENDER, GENERATION - 1, Cover.FRAME), payload(50_000));
        write(new FrameWriter(SENDER, GENERATION + 1, Cover.FRAME), payload(0));
        write(writer, payload(5));

        assertThat(read(5)).isEqualTo(payload(5));
        assertThat(reader.staleFrames()).isEqualTo(2);
    }

    @Test
    void rejectsAnotherLength() throws IOException {
        write(writer, payload(8));

        assertRejected(12, "payload length must be 12, but was 8");
    }

    @Test
    void rejectsAnotherSender() throws IOException {
        write(new FrameWriter(SENDER + 1, GENERATION, Cover.FRAME), payload(8));

        assertRejected(8, "sender must be 4, but was 5");
    }

    @Test
    void rejectsAFrameOutOfOrder() throws IOException {
        write(writer, payload(0));
        wire.clear();
        write(writer, payload(8));

        assertRejected(8, "round must be 1, but was 2");
    }

    @Test
    void rejectsAnyFlippedBit() throws IOException {
        for (int bit = 0; bit < (FrameHeader.BYTES + 8) * Byte.SIZE; bit++) {
            wire.clear();
            write(new FrameWriter(SENDER, GENERATION, Cover.FRAME), payload(8));
            wire.flip(bit);
            var fresh = new FrameReader(SENDER, GENERATION, Cover.FRAME);
            fresh.begin(post(MemorySegment.ofArray(new byte[8])));

            assertThatIOException().as("bit %d", bit).isThrownBy(() -> readAll(fresh));
        }
    }

    @Test
    void rejectsAnyFlippedBitOfAnEncodedFrame() throws IOException {
        var content = new PayloadType((byte) 3, (byte) 5, 100);
        for (int bit = 0; bit < (FrameHeader.BYTES + 8) * Byte.SIZE; bit++) {
            wire.clear();
            Post encoded = post(MemorySegment.ofArray(payload(8)));
            encoded.content = content;
            write(new FrameWriter(SENDER, GENERATION, Cover.FRAME), encoded);
            wire.flip(bit);
            var fresh = new FrameReader(SENDER, GENERATION, Cover.FRAME);
            Post buffer = post(MemorySegment.ofArray(new byte[16]));
            buffer.exact = false;
            fresh.begin(buffer);

            assertThatIOException().as("bit %d", bit).isThrownBy(() -> readAll(fresh));
        }
    }

    @Test
    void onOneHostTheChecksumCoversTheHeaderAlone() throws IOException {
        for (int bit = 0; bit < FrameHeader.BYTES * Byte.SIZE; bit++) {
            wire.clear();
            write(new FrameWriter(SENDER, GENERATION, Cover.HEADER), payload(8));
            wire.flip(bit);
            var fresh = new FrameReader(SENDER, GENERATION, Cover.HEADER);
            fresh.begin(post(MemorySegment.ofArray(new byte[8])));

            assertThatIOException().as("bit %d", bit).isThrownBy(() -> readAll(fresh));
        }
        wire.clear();
        write(new FrameWriter(SENDER, GENERATION, Cover.HEADER), payload(8));
        wire.flip(FrameHeader.BYTES * Byte.SIZE);
        var trusting = new FrameReader(SENDER, GENERATION, Cover.HEADER);
        trusting.begin(post(MemorySegment.ofArray(new byte[8])));
        readAll(trusting);
        assertThat(trusting.isDone()).isTrue();
    }

    @Test
    void failsWhenThePeerCloses() {
        reader.begin(post(MemorySegment.ofArray(new byte[4])));

        assertThatIOException()
                .isThrownBy(() -> readAll(reader))
                .isInstanceOf(EOFException.class)
                .withMessage("the peer has closed the connection");
    }

    private void assertRejected(int expectedBytes, String reason) {
        assertThatIOException().isThrownBy(() -> read(expectedBytes)).withMessageContaining(reason);
    }

    private void write(FrameWriter from, byte[] payload) throws IOException {
        write(from, post(MemorySegment.ofArray(payload)));
    }

    private void write(FrameWriter from, Post post) throws IOException {
        from.begin(post);
        while (!from.isDone()) {
            from.advance(wire);
        }
    }

    private byte[] read(int bytes) throws IOException {
        byte[] payload = new byte[bytes];
        reader.begin(post(MemorySegment.ofArray(payload)));
        readAll(reader);
        return payload;
    }

    private void readAll(FrameReader from) throws IOException {
        while (!from.isDone()) {
            from.advance(wire);
        }
    }

    private static Post post(MemorySegment memory) {
        var post = new Post();
        post.memory = memory;
        post.bytes = memory.byteSize();
        post.exact = true;
        return post;
    }

    private static byte[] payload(int bytes) {
        byte[] payload = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            payload[i] = (byte) (i * 37 + bytes);
        }
        return payload;
    }
}
