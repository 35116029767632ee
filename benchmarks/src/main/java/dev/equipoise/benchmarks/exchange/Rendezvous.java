package dev.equipoise.benchmarks.exchange;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import tools.jackson.databind.json.JsonMapper;

/**
 * Rendezvous of the ranks of a measurement: each prints the port on which it listens, and reads
 * those of all ranks from its input.
 *
 * @param key in hexadecimal, drawn for this measurement
 * @param ports by rank, on the loopback
 */
record Rendezvous(UUID run, String key, List<Integer> ports) {

    private static final String PORT = "port ";
    private static final int KEY_BYTES = 32;

    /** Creates the rendezvous of a new measurement. */
    static Rendezvous of(List<Integer> ports) {
        byte[] key = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(key);
        return new Rendezvous(UUID.randomUUID(), HexFormat.of().formatHex(key), ports);
    }

    /** Called by a rank; returns once all ranks have printed their ports. */
    static Rendezvous meet(int port) throws IOException {
        System.out.println(PORT + port);
        System.out.flush();
        var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        return JsonMapper.builder().build().readValue(input.readLine(), Rendezvous.class);
    }

    /** Reads the port from a line of a rank. */
    static int port(String line) {
        if (!line.startsWith(PORT)) {
            throw new IllegalArgumentException(
                    "a rank must print its port first, but printed " + line);
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
