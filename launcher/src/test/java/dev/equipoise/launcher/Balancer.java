package dev.equipoise.launcher;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A load balancer that gives connections to the services in turn. Open connections of a service
 * stay with it when it is removed.
 */
final class Balancer implements AutoCloseable {

    /** Answer of Traefik to a request for which it knows no service. */
    private static final byte[] NOT_FOUND =
            """
            HTTP/1.1 404 Not Found\r
            Content-Type: text/plain; charset=utf-8\r
            Content-Length: 19\r
            Connection: close\r
            \r
            404 page not found
            """
                    .getBytes(StandardCharsets.US_ASCII);

    private final ServerSocket server = new ServerSocket();
    private final List<Integer> ports = new CopyOnWriteArrayList<>();
    private final Set<Socket> clients = ConcurrentHashMap.newKeySet();
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private volatile boolean isWithoutServices;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    Balancer() throws IOException {
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        threads.execute(this::acceptAll);
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + server.getLocalPort());
    }

    void add(int port) {
        ports.add(port);
    }

    void remove(int port) {
        ports.removeIf(it -> it == port);
    }

    /** Cuts all connections, and answers requests with 404 from now on. */
    void loseServices() throws IOException {
        isWithoutServices = true;
        for (Socket client : clients) {
            client.close();
        }
    }

    void findServices() {
        isWithoutServices = false;
    }

    /** Returns how many requests were answered with 404 here. */
    int refused() {
        return refused.get();
    }

    private void acceptAll() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                threads.execute(() -> join(client));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void join(Socket client) {
        clients.add(client);
        try (client) {
            if (isWithoutServices) {
                refuse(client);
            } else {
                forward(client);
            }
        } catch (IOException gone) {
            // The client sees a closed connection and asks again.
        } finally {
            clients.remove(client);
        }
    }

    /** Reads the request to its end, as the answer might be lost otherwise. */
    private void refuse(Socket client) throws IOException {
        var head =
                new BufferedReader(
                        new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII));
        String line = head.readLine();
        while (line != null && !line.isEmpty()) {
            line = head.readLine();
        }
        client.getOutputStream().write(NOT_FOUND);
        client.shutdownOutput();
        refused.incrementAndGet();
        client.getInputStream().transferTo(OutputStream.nullOutputStream());
    }

    private void forward(Socket client) throws IOException {
        List<Integer> open = List.copyOf(ports);
        int port = open.get(Math.floorMod(next.getAndIncrement(), open.size()));
        try (var service = new Socket(InetAddress.getLoopbackAddress(), port)) {
            var back = threads.submit(() -> pass(service, client));
            pass(client, service);
            back.get();
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Copies to the end of the input; closes both sides if either fails. */
    private static void pass(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
            to.shutdownOutput();
        } catch (IOException gone) {
            closeBoth(from, to);
        }
    }

    private static void closeBoth(Socket one, Socket other) {
        try {
            one.close();
            other.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        threads.shutdownNow();
    }
}
