package dev.equipoise.launcher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
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

    private final ServerSocket server = new ServerSocket();
    private final List<Integer> ports = new CopyOnWriteArrayList<>();
    private final AtomicInteger next = new AtomicInteger();
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
        List<Integer> open = List.copyOf(ports);
        int port = open.get(Math.floorMod(next.getAndIncrement(), open.size()));
        try (client;
                var service = new Socket(InetAddress.getLoopbackAddress(), port)) {
            var back = threads.submit(() -> pass(service, client));
            pass(client, service);
            back.get();
        } catch (IOException refused) {
            // The client sees a closed connection and asks again.
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
