package dev.equipoise.agent.channel;

import static dev.equipoise.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.equipoise.agent.channel.FrameChecksum.Cover;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sleeping and waking of a rank that shares memory with peers. */
class SelectorIdleStrategyTest {

    private static final ByteBuffer EIGHT_BYTES = ByteBuffer.allocateDirect(8);

    @TempDir Path folder;

    private SelectorIdleStrategy idleStrategy;
    private Pair gone;
    private Pair alive;

    @BeforeEach
    void watchTwoPeers() throws IOException {
        idleStrategy = new SelectorIdleStrategy();
        gone = Pair.connect(folder);
        alive = Pair.connect(folder);
        for (Pair pair : new Pair[] {gone, alive}) {
            idleStrategy.watch(pair.socket, pair.here, awaiting(pair.here));
        }
    }

    @AfterEach
    void close() throws IOException {
        idleStrategy.close();
        for (Pair pair : new Pair[] {gone, alive}) {
            pair.here.close();
            pair.there.close();
        }
    }

    @Test
    void aPeerThatWritesEndsTheSleep() throws IOException {
        idleStrategy.prepare();
        alive.there.write(EIGHT_BYTES.clear());

        assertSleepEndsEarly();
    }

    /**
     * A write that finds no space polls the socket too, and reads the wake-up byte of a written
     * frame.
     */
    @Test
    void aWakeByteReadBeforeTheSleepEndsTheSleep() throws IOException {
        alive.here.write(ByteBuffer.allocateDirect(SharedRing.CAPACITY));
        idleStrategy.prepare();
        alive.there.write(EIGHT_BYTES.clear());
        assertTimeoutPreemptively(PATIENCE, this::writeUntilWakeReceived);

        assertSleepEndsEarly();
    }

    @Test
    void aDepartedPeerEndsOneSleepOnly() throws IOException {
        Duration sleep = Duration.ofMillis(50);
        gone.there.close();
        idleStrategy.prepare();
        assertSleepEndsEarly();

        long begin = System.nanoTime();
        idleStrategy.prepare();
        idleStrategy.sleep(sleep.toNanos());

        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(sleep);
    }

    /** The peer's end of the socket is reset, not closed. */
    @Test
    void bytesOfADepartedPeerThatReadNoWakeByteAreDelivered() throws IOException {
        gone.there.announceSleep(true, false);
        gone.here.write(EIGHT_BYTES.clear());
        gone.there.write(EIGHT_BYTES.clear());
        gone.there.close();

        idleStrategy.prepare();
        assertSleepEndsEarly();

        assertThat(gone.here.read(EIGHT_BYTES.clear())).isEqualTo(8);
        assertThatExceptionOfType(EOFException.class)
                .isThrownBy(() -> gone.here.read(EIGHT_BYTES.clear()));
    }

    /** The link of a lost peer is closed, and the others go on. */
    @Test
    void aLostPeerDoesNotDisturbTheSleep() throws IOException {
        gone.here.close();
        idleStrategy.prepare();
        idleStrategy.sleep(Duration.ofMillis(1).toNanos());

        idleStrategy.prepare();
        alive.there.write(EIGHT_BYTES.clear());

        assertSleepEndsEarly();
    }

    @Test
    void anotherThreadEndsTheSleep() throws IOException {
        idleStrategy.prepare();
        idleStrategy.wake();

        assertSleepEndsEarly();
    }

    private void writeUntilWakeReceived() throws IOException {
        while (!alive.here.isWakeReceived()) {
            alive.here.write(EIGHT_BYTES.clear());
        }
    }

    /** A link that awaits a frame. */
    private static Link awaiting(Pipe pipe) {
        var link = new FramedLink(0, 1, TestingMesh.GENERATION, Cover.FRAME, pipe);
        link.receive(MemorySegment.ofArray(new byte[8]), 0, 8, true);
        return link;
    }

    private void assertSleepEndsEarly() {
        assertTimeoutPreemptively(PATIENCE, () -> idleStrategy.sleep(Long.MAX_VALUE));
    }

    /** Both ends of a pipe, and the socket of the near end. */
    private record Pair(SocketChannel socket, SharedMemoryPipe here, SharedMemoryPipe there) {

        static Pair connect(Path folder) throws IOException {
            var name = UUID.randomUUID();
            SharedMemory memory = SharedMemory.create(folder, name);
            SharedMemory peerMemory = SharedMemory.open(folder, name);
            try (ServerSocketChannel server = ServerSocketChannel.open()) {
                server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                SocketChannel socket = SocketChannel.open(server.getLocalAddress());
                return new Pair(
                        socket,
                        new SharedMemoryPipe(socket, memory),
                        new SharedMemoryPipe(server.accept(), peerMemory));
            }
        }
    }
}
