package dev.equipoise.benchmarks.exchange;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the ranks of a measurement tell each other before they start: each says on its output where
 * it listens, and reads from its input where all do.
 *
 * @param key in hexadecimal, drawn for this measurement
 * @param ports by rank, on the loopback
 */
record Rendezvous(UUID run, String key, List<Integer> ports) {

    private static final String PORT = "port ";

    /** Called by a rank; returns when all ranks are there. */
    static Rendezvous meet(int port) throws IOException {
        System.out.println(PORT + port);
        System.out.flush();
        var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        return JsonMapper.builder().build().readValue(input.readLine(), Rendezvous.class);
    }

    /** The port of a line that a rank has written. */
    static int port(String line) {
        if (!line.startsWith(PORT)) {
            throw new IllegalArgumentException("a rank must say its port first, but said " + line);
        }
        return Integer.parseInt(line.substring(PORT.length()));
    }

    String line() {
        return JsonMapper.builder().build().writeValueAsString(this) + "\n";
    }

    List<InetSocketAddress> addresses() {
        List<InetSocketAddress> addresses = new ArrayList<>();
        ports.forEach(port ->
                addresses.add(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)));
        return addresses;
    }
}
