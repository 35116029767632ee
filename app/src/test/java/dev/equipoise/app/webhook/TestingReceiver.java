package dev.equipoise.app.webhook;

import dev.equipoise.testing.Patience;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ServerSocketFactory;
import org.jspecify.annotations.Nullable;

/** A receiver of webhooks that answers with any bytes. */
final class TestingReceiver implements AutoCloseable {

    private final ServerSocket server;
    private final BlockingQueue<Received> received = new LinkedBlockingQueue<>();
    private final Collection<Socket> connections = new ConcurrentLinkedQueue<>();
    private volatile String answer = "HTTP/1.1 204 No Content\r\n\r\n";
    private volatile boolean hangsUp = true;

    TestingReceiver() {
        this(ServerSocketFactory.getDefault());
    }

    TestingReceiver(ServerSocketFactory sockets) {
        try {
            server = sockets.createServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1"));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        Thread.ofVirtual().start(this::accept);
    }

    /**
     * A request.
     *
     * @param headers by their names in lower case
     */
    record Received(String line, Map<String, String> headers, String body) {

        String header(String name) {
            return headers.getOrDefault(name, "");
        }
    }

    int port() {
        return server.getLocalPort();
    }

    String url() {
        return "http://127.0.0.1:%d/hook".formatted(port());
    }

    /** Sets the status of the following answers. */
    void answer(int status) {
        answerText("HTTP/1.1 %d Some\r\nContent-Length: 0\r\n\r\n".formatted(status));
    }

    /** Sets the text of the following answers. */
    void answerText(String text) {
        answer = text;
    }

    /** Leaves the following connections open after the answer. */
    void neverHangUp() {
        hangsUp = false;
    }

    /** Returns the next request, for which it waits. */
    Received take() {
        try {
            Received next = received.poll(Patience.SECONDS, TimeUnit.SECONDS);
            if (next == null) {
                throw new AssertionError("no request came");
            }
            return next;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError(interrupted);
        }
    }

    /** Number of requests that nobody has taken. */
    int untaken() {
        return received.size();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket connection = server.accept();
                connections.add(connection);
                Thread.ofVirtual().start(() -> serve(connection));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket connection) {
        try {
            Received request = read(connection);
            if (request != null) {
                received.add(request);
                connection.getOutputStream().write(answer.getBytes(StandardCharsets.UTF_8));
                connection.getOutputStream().flush();
            }
            if (hangsUp) {
                connection.close();
            }
        } catch (IOException broken) {
            // The sender has closed the connection.
        }
    }

    private static @Nullable Received read(Socket connection) throws IOException {
        var in =
                new BufferedReader(
                        new InputStreamReader(
                                connection.getInputStream(), StandardCharsets.ISO_8859_1));
        String line = in.readLine();
        if (line == null) {
            return null;
        }
        Map<String, String> headers = new LinkedHashMap<>();
        for (String each = in.readLine(); each != null && !each.isEmpty(); each = in.readLine()) {
            int colon = each.indexOf(':');
            headers.put(
                    each.substring(0, colon).toLowerCase(Locale.ROOT),
                    each.substring(colon + 1).strip());
        }
        char[] body = new char[Integer.parseInt(headers.getOrDefault("content-length", "0"))];
        for (int at = 0; at < body.length; ) {
            int count = in.read(body, at, body.length - at);
            if (count < 0) {
                return null;
            }
            at += count;
        }
        byte[] bytes = new String(body).getBytes(StandardCharsets.ISO_8859_1);
        return new Received(line, headers, new String(bytes, StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        try {
            server.close();
            for (Socket connection : connections) {
                connection.close();
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
