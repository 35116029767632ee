package dev.equipoise.app.database;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A TCP proxy to a local server that can be frozen: it keeps connections and accepts new ones but
 * passes no bytes, as a hanging server would. It can also cut its connections.
 */
final class FreezingLink implements AutoCloseable {

    private final ServerSocket entry;
    private final int server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition thawed = lock.newCondition();

    /** Guarded by the lock. */
    private boolean frozen;

    private FreezingLink(ServerSocket entry, int server) {
        this.entry = entry;
        this.server = server;
    }

    static FreezingLink to(int server) {
        try {
            var link =
                    new FreezingLink(
                            new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), server);
            link.threads.execute(link::accept);
            return link;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int port() {
        return entry.getLocalPort();
    }

    void freeze(boolean now) {
        lock.lock();
        try {
            frozen = now;
            thawed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Closes the connections that exist, and accepts new ones. */
    void cut() throws IOException {
        for (Socket socket = sockets.poll(); socket != null; socket = sockets.poll()) {
            socket.close();
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket near = entry.accept();
                Socket far = new Socket(InetAddress.getLoopbackAddress(), server);
                sockets.add(near);
                sockets.add(far);
                threads.execute(() -> pass(near, far));
                threads.execute(() -> pass(far, near));
            }
        } catch (IOException closed) {
            // The test has ended.
        }
    }

    private void pass(Socket from, Socket to) {
        byte[] bytes = new byte[8192];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
                awaitThaw();
                out.write(bytes, 0, read);
            }
        } catch (IOException closed) {
            // The other end is then closed as well.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void awaitThaw() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (frozen) {
                thawed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() throws IOException {
        freeze(false);
        entry.close();
        cut();
        threads.shutdownNow();
    }
}
