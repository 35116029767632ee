package dev.equipoise.agent.lifecycle;

import com.sun.management.OperatingSystemMXBean;
import dev.equipoise.protocol.DisplayText;
import dev.equipoise.protocol.HostDescription;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Inspects the host on which the agent runs. */
final class HostInspector {

    private static final String LOOPBACK = "127.0.0.1";
    private static final int MAX_MODEL = 100;
    private static final Path PROCESSORS = Path.of("/proc/cpuinfo");

    private HostInspector() {}

    /** Returns the physical memory, in bytes. */
    static long memoryBytes() {
        return system().getTotalMemorySize();
    }

    private static OperatingSystemMXBean system() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    }

    static HostDescription describe(int threads, String backend, double slowDown) {
        OperatingSystemMXBean system = system();
        return new HostDescription(
                name(),
                system.getAvailableProcessors(),
                threads,
                memoryBytes(),
                "%s %s".formatted(system.getName(), system.getArch()),
                backend,
                slowDown,
                processor());
    }

    private static @Nullable String processor() {
        try (Stream<String> lines = Files.lines(PROCESSORS, StandardCharsets.ISO_8859_1)) {
            return processor(lines.toList());
        } catch (IOException | UncheckedIOException e) {
            // Only Linux has this file.
            return null;
        }
    }

    /**
     * Returns the model of the first processor; on ARM, its implementer and part, as there is no
     * model.
     *
     * @param lines of /proc/cpuinfo
     * @return null if the lines tell neither
     */
    static @Nullable String processor(List<String> lines) {
        Map<String, String> fields = new HashMap<>();
        for (String line : lines) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                fields.putIfAbsent(
                        line.substring(0, colon).strip(), line.substring(colon + 1).strip());
            }
        }
        String model = fields.get("model name");
        if (model == null && fields.containsKey("CPU part")) {
            model =
                    "ARM implementer %s, part %s"
                            .formatted(
                                    fields.getOrDefault("CPU implementer", "unknown"),
                                    fields.get("CPU part"));
        }
        return model == null || model.isBlank()
                ? null
                : DisplayText.clean(model.substring(0, Math.min(model.length(), MAX_MODEL)));
    }

    static String name() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }

    /** Returns the address of the interface over which the service is reached. */
    static String addressTowards(URI service) {
        try (var socket = new DatagramSocket()) {
            // Connecting a datagram socket selects its route and sends no packet.
            socket.connect(new InetSocketAddress(service.getHost(), 9));
            InetAddress local = socket.getLocalAddress();
            return local.isLoopbackAddress() || local.isAnyLocalAddress()
                    ? LOOPBACK
                    : local.getHostAddress();
        } catch (IOException | RuntimeException e) {
            return LOOPBACK;
        }
    }

    /** Formats host:port, with brackets around an IPv6 address. */
    static String address(String host, int port) {
        return (host.contains(":") ? "[%s]:%d" : "%s:%d").formatted(host, port);
    }

    /** Returns a port that is free at this moment. */
    static int freePort(String host) {
        try (var socket = new ServerSocket(0, 1, InetAddress.getByName(host))) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new AgentFailed("--host %s is not an address of this machine".formatted(host), e);
        }
    }
}
