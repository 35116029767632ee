package dev.equipoise.benchmarks.exchange;

import dev.equipoise.benchmarks.JsonLines;
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

/**
 * Rank of {@code bench wire}, which has two: both send and receive a vector at the same time on a
 * bare socket, without frames, sums or checks. The result is the upper limit of an all-reduce of
 * two ranks.
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
        var wire =
                new Wire(socket, ByteBuffer.allocateDirect(most), ByteBuffer.allocateDirect(most));
        wire.repeat(FIRST_ROUNDS, FIRST_BYTES);
        for (Series series : Series.ALL) {
            double seconds = wire.seconds(series);
            if (rank == 0) {
                JsonLines.print(Figure.of(ranks, series.bytes(), seconds));
            }
        }
    }

    /** Nonblocking socket, with the vectors to send and to receive. */
    private record Wire(SocketChannel socket, ByteBuffer out, ByteBuffer in) {

        /** Returns the mean time of an exchange of a series after its warm-up. */
        double seconds(Series series) throws IOException {
            int bytes = (int) series.bytes();
            repeat(series.warmUps(), bytes);
            long before = System.nanoTime();
            repeat(series.rounds(), bytes);
            return (System.nanoTime() - before) / NANOS / series.rounds();
        }

        void repeat(int rounds, int bytes) throws IOException {
            for (int i = 0; i < rounds; i++) {
                exchange(bytes);
            }
        }

        private void exchange(int bytes) throws IOException {
            int sent = 0;
            int received = 0;
            while (sent < bytes || received < bytes) {
                if (sent < bytes) {
                    sent += socket.write(piece(out, sent, bytes));
                }
                if (received < bytes) {
                    received += receive(received, bytes);
                }
            }
        }

        private int receive(int received, int bytes) throws IOException {
            int moved = socket.read(piece(in, received, bytes));
            if (moved < 0) {
                throw new EOFException("the other rank closed the connection");
            }
            return moved;
        }

        private static ByteBuffer piece(ByteBuffer vector, int from, int bytes) {
            return vector.limit(Math.min(bytes, from + PIECE)).position(from);
        }
    }
}
