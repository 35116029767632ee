package dev.equipoise.agent.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/** Free ports of the loopback, for members that must know one another's ports before they start. */
final class TestingPorts {

    /** The operating system takes ports of connections from a range above this one. */
    private static final int FIRST = 20_000;

    private static final int END = 30_000;

    private TestingPorts() {}

    /** Different ones in each call, so that builds on one machine do not meet. */
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
