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

/** A rank that sleeps while peers share its memory. */
class SocketSleeperTest {

    private static final ByteBuffer EIGHT_BYTES = ByteBuffer.allocateDirect(8);

    @TempDir Path folder;

    private SocketSleeper sleeper;
    private Pair gone;
    private Pair alive;

    @BeforeEach
    void watchTwoPeers() throws IOException {
        sleeper = new SocketSleeper();
        gone = Pair.connect(folder);
        alive = Pair.connect(folder);
        for (Pair pair : new Pair[] {gone, alive}) {
            sleeper.watch(pair.socket, pair.here, awaiting(pair.here));
        }
    }

    @AfterEach
    void close() throws IOException {
        sleeper.close();
        for (Pair pair : new Pair[] {gone, alive}) {
            pair.here.close();
            pair.there.close();
        }
    }

    @Test
    void aPeerThatWritesEndsTheSleep() throws IOException {
        sleeper.prepare();
        alive.there.write(EIGHT_BYTES.clear());

        assertSleepEndsEarly();
    }

    /**
     * A write that finds no room looks at the socket too, and takes the call of a written frame.
     */
    @Test
    void aCallThatWasTakenBeforeTheSleepEndsIt() throws IOException {
        alive.here.write(ByteBuffer.allocateDirect(SharedRing.CAPACITY));
        sleeper.prepare();
        alive.there.write(EIGHT_BYTES.clear());
        assertTimeoutPreemptively(PATIENCE, this::writeUntilCalled);

        assertSleepEndsEarly();
    }

    @Test
    void aPeerThatHasGoneEndsOneSleepOnly() throws IOException {
        Duration sleep = Duration.ofMillis(50);
        gone.there.close();
        sleeper.prepare();
        assertSleepEndsEarly();

        long begin = System.nanoTime();
        sleeper.prepare();
        sleeper.sleep(sleep.toNanos());

        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(sleep);
    }

    /** Its end of the socket is then reset, not closed. */
    @Test
    void aPeerThatHasGoneWithoutTakingACallLeavesItsBytes() throws IOException {
        gone.there.announceSleep(true, false);
        gone.here.write(EIGHT_BYTES.clear());
        gone.there.write(EIGHT_BYTES.clear());
        gone.there.close();

        sleeper.prepare();
        assertSleepEndsEarly();

        assertThat(gone.here.read(EIGHT_BYTES.clear())).isEqualTo(8);
        assertThatExceptionOfType(EOFException.class)
                .isThrownBy(() -> gone.here.read(EIGHT_BYTES.clear()));
    }

    /** The link of a peer that was lost is closed, and the others go on. */
    @Test
    void aPeerThatWasLostIsLeftOutOfTheSleep() throws IOException {
        gone.here.close();
        sleeper.prepare();
        sleeper.sleep(Duration.ofMillis(1).toNanos());

        sleeper.prepare();
        alive.there.write(EIGHT_BYTES.clear());

        assertSleepEndsEarly();
    }

    @Test
    void anotherThreadEndsTheSleep() throws IOException {
        sleeper.prepare();
        sleeper.wake();

        assertSleepEndsEarly();
    }

    private void writeUntilCalled() throws IOException {
        while (!alive.here.isCalled()) {
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
        assertTimeoutPreemptively(PATIENCE, () -> sleeper.sleep(Long.MAX_VALUE));
    }

    /** Both ends of a pipe, and the socket of the near one. */
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
