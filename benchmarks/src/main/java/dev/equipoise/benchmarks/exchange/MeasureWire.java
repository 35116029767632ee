package dev.equipoise.benchmarks.exchange;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;

/**
 * One of the two ranks of {@code bench wire}: both send a vector and receive one at the same time,
 * on a bare socket, without frames, sums or checks. What an all-reduce of two ranks can reach.
 */
@Command(name = "measure-wire", hidden = true)
public final class MeasureWire implements Callable<Integer> {

    private static final double NANOS = 1e9;
    private static final int PIECE = 256 * 1024;
    private static final int FIRST_ROUNDS = 400;
    private static final int FIRST_BYTES = 1 << 20;

    @Option(names = "--rank", required = true)
    private int rank;

    @Option(names = "--ranks", required = true)
    private int ranks;

    @Override
    public Integer call() throws IOException {
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            int port = ((InetSocketAddress) server.getLocalAddress()).getPort();
            Rendezvous all = Rendezvous.meet(port);
            try (SocketChannel socket =
                    rank == 0 ? server.accept() : SocketChannel.open(all.addresses().getFirst())) {
                socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
                socket.configureBlocking(false);
                measure(socket);
            }
        }
        return 0;
    }

    private void measure(SocketChannel socket) throws IOException {
        int most = (int) Series.ALL.getLast().bytes();
        ByteBuffer out = ByteBuffer.allocateDirect(most);
        ByteBuffer in = ByteBuffer.allocateDirect(most);
        repeat(FIRST_ROUNDS, FIRST_BYTES, socket, out, in);
        for (Series series : Series.ALL) {
            int bytes = (int) series.bytes();
            repeat(series.warmUps(), bytes, socket, out, in);
            long before = System.nanoTime();
            repeat(series.rounds(), bytes, socket, out, in);
            double seconds = (System.nanoTime() - before) / NANOS / series.rounds();
            if (rank == 0) {
                System.out.println(
                        JsonMapper.builder()
                                .build()
                                .writeValueAsString(Figure.of(ranks, bytes, seconds)));
            }
        }
    }

    private static void repeat(
            int rounds, int bytes, SocketChannel socket, ByteBuffer out, ByteBuffer in)
            throws IOException {
        for (int i = 0; i < rounds; i++) {
            exchange(bytes, socket, out, in);
        }
    }

    private static void exchange(int bytes, SocketChannel socket, ByteBuffer out, ByteBuffer in)
            throws IOException {
        int sent = 0;
        int received = 0;
        while (sent < bytes || received < bytes) {
            if (sent < bytes) {
                sent += socket.write(out.limit(Math.min(bytes, sent + PIECE)).position(sent));
            }
            if (received < bytes) {
                int moved =
                        socket.read(in.limit(Math.min(bytes, received + PIECE)).position(received));
                if (moved < 0) {
                    throw new EOFException("the other rank has gone");
                }
                received += moved;
            }
        }
    }
}
