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
 * Hands connections to one service after the other, as what stands before several instances does.
 * Connections that are there stay where they are when a service is taken out.
 */
final class Balancer implements AutoCloseable {

    private final ServerSocket door = new ServerSocket();
    private final List<Integer> ports = new CopyOnWriteArrayList<>();
    private final AtomicInteger turn = new AtomicInteger();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    Balancer() throws IOException {
        door.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        threads.execute(this::acceptAll);
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + door.getLocalPort());
    }

    void add(int port) {
        ports.add(port);
    }

    void remove(int port) {
        ports.removeIf(it -> it == port);
    }

    private void acceptAll() {
        while (!door.isClosed()) {
            try {
                Socket client = door.accept();
                threads.execute(() -> join(client));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void join(Socket client) {
        List<Integer> open = List.copyOf(ports);
        int port = open.get(Math.floorMod(turn.getAndIncrement(), open.size()));
        try (client;
                var service = new Socket(InetAddress.getLoopbackAddress(), port)) {
            var back = threads.submit(() -> pass(service, client));
            pass(client, service);
            back.get();
        } catch (IOException refused) {
            // Whoever asked finds the connection closed, and asks again.
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** To the end of what comes, or until either side is gone; then neither has anything more. */
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
        door.close();
        threads.shutdownNow();
    }
}
