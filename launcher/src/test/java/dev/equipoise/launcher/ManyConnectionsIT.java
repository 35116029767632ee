package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.equipoise.testing.Night;
import dev.equipoise.testing.Patience;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Opens more connections from eight addresses than a service accepts, and measures how long {@code
 * /actuator/health} takes from another address, and how many files the service has open.
 */
@Night("measures the time of responses, and opens 20,000 connections")
@Timeout(10 * Patience.SECONDS)
class ManyConnectionsIT {

    private static final Pattern FILES = Pattern.compile("(?m)^Max open files\\s+(\\d+)");

    private static final int MANY = 10_000;
    private static final int DRIPPING = 200;
    private static final int ADDRESSES = 8;
    private static final int PROBES = 50;
    private static final int MAX_CONNECTIONS = 3_000;

    /** Files of a service without connections: jars, its database connections, its log. */
    private static final int OTHER_FILES = 500;

    private static final Duration MAX_TIME = Duration.ofSeconds(1);

    private static final String HALF_REQUEST = "GET /api/v1/me HTTP/1.1\r\nHost: lab\r\n";

    @TempDir private Path folder;

    private final List<SocketChannel> sockets = new ArrayList<>();

    @AfterEach
    void hangUp() throws IOException {
        for (SocketChannel socket : sockets) {
            socket.close();
        }
    }

    @Test
    void healthIsAnsweredBesideManyConnections() throws Exception {
        requireFiles(2 * MANY + DRIPPING + OTHER_FILES);
        try (OwnService service =
                        OwnService.start(
                                folder, Map.of(), "--equipoise.data=" + folder.resolve("data"));
                ScheduledExecutorService drip = Executors.newSingleThreadScheduledExecutor()) {
            for (int number = 0; number < MANY; number++) {
                connect(service, number, "");
            }
            assertHealthy(service, "idle");
            for (int number = 0; number < MANY; number++) {
                connect(service, number, HALF_REQUEST);
            }
            assertHealthy(service, "half-open");
            List<SocketChannel> slow = new ArrayList<>();
            for (int number = 0; number < DRIPPING; number++) {
                slow.add(connect(service, number, HALF_REQUEST));
            }
            var _ = drip.scheduleAtFixedRate(() -> send(slow, "x"), 0, 1, TimeUnit.SECONDS);
            assertHealthy(service, "dripping");
            drip.shutdownNow();
            assertThat(service.process().isAlive()).isTrue();
        }
    }

    /** Skips the test where this process may not open so many files. */
    private static void requireFiles(int wanted) throws IOException {
        Matcher limit = FILES.matcher(Files.readString(Path.of("/proc/self/limits")));
        assumeTrue(
                !limit.find() || Long.parseLong(limit.group(1)) >= wanted,
                () ->
                        "needs %d open files, and the limit (ulimit -n) is %s"
                                .formatted(wanted, limit.group(1)));
    }

    /** Opens a connection that the service may close at once, since its address has too many. */
    private SocketChannel connect(OwnService service, int number, String text) throws IOException {
        SocketChannel socket = SocketChannel.open();
        sockets.add(socket);
        socket.bind(new InetSocketAddress("127.0.0." + (2 + number % ADDRESSES), 0));
        // The service may have stopped to accept for a moment; its queue is then full.
        socket.configureBlocking(false);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), service.port()));
        if (!text.isEmpty() && awaitConnected(socket)) {
            send(List.of(socket), text);
        }
        return socket;
    }

    /** Polls for a few milliseconds, which suffices on one machine unless the queue is full. */
    private static boolean awaitConnected(SocketChannel socket) {
        try {
            for (int attempt = 0; attempt < 100; attempt++) {
                if (socket.finishConnect()) {
                    return true;
                }
                Thread.onSpinWait();
            }
            return false;
        } catch (IOException refused) {
            return false;
        }
    }

    private static void send(List<SocketChannel> sockets, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        for (SocketChannel socket : sockets) {
            try {
                if (socket.isConnected()) {
                    socket.write(ByteBuffer.wrap(bytes));
                }
            } catch (IOException closed) {
                // The service has closed the connection, as it should.
            }
        }
    }

    private void assertHealthy(OwnService service, String kind) throws Exception {
        Duration slowest = Duration.ZERO;
        for (int probe = 0; probe < PROBES; probe++) {
            Duration taken = probe(service);
            slowest = taken.compareTo(slowest) > 0 ? taken : slowest;
        }
        long files = openFiles(service.process().toHandle());
        System.out.printf(
                "%d connections, the last ones %s: health took at most %d ms, %d open files%n",
                sockets.size(), kind, slowest.toMillis(), files);
        assertThat(slowest).as(kind).isLessThan(MAX_TIME);
        assertThat(files).as(kind).isLessThan(MAX_CONNECTIONS + OTHER_FILES);
    }

    /** Measures a request on a connection of its own. */
    private static Duration probe(OwnService service) throws IOException, InterruptedException {
        long start = System.nanoTime();
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpResponse<String> response =
                    http.send(
                            HttpRequest.newBuilder(
                                            URI.create(service.address() + "/actuator/health"))
                                    .timeout(Patience.PATIENCE)
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            assertThat(response.statusCode()).isEqualTo(200);
        }
        return Duration.ofNanos(System.nanoTime() - start);
    }

    private static long openFiles(ProcessHandle process) throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/proc/" + process.pid() + "/fd"))) {
            return files.count();
        }
    }
}
