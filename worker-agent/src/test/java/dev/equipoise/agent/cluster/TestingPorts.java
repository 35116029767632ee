package dev.equipoise.agent.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/**
 * Free ports of the loopback interface, for members that must know one another's ports before they
 * start.
 */
final class TestingPorts {

    /** Below the range from which the operating system takes ephemeral ports. */
    private static final int FIRST = 20_000;

    private static final int END = 30_000;

    private TestingPorts() {}

    /** Returns random free ports, so that concurrent builds on one host do not collide. */
    static List<Integer> free(int count) {
        return IntStream.generate(() -> ThreadLocalRandom.current().nextInt(FIRST, END))
                .filter(TestingPorts::isFree)
                .distinct()
                .limit(count)
                .boxed()
                .toList();
    }

    private static boolean isFree(int port) {
        try (var _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return true;
        } catch (BindException _) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
