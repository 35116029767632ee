package dev.equipoise.agent.lifecycle;

import com.sun.management.OperatingSystemMXBean;
import dev.equipoise.agent.network.step.Backend;
import dev.equipoise.protocol.DisplayText;
import dev.equipoise.protocol.HostDescription;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.SocketException;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Inspects the host on which the agent runs. */
final class HostInspector {

    private static final String LOOPBACK = "127.0.0.1";
    private static final int MAX_MODEL = 100;

    /** Most addresses of this host that a message names. */
    private static final int MAX_ADDRESSES = 8;

    private HostInspector() {}

    /** Returns the physical memory, in bytes. */
    static long memoryBytes() {
        return system().getTotalMemorySize();
    }

    private static OperatingSystemMXBean system() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    }

    static HostDescription describe(int threads, Backend backend, double slowDown) {
        OperatingSystemMXBean system = system();
        return new HostDescription(
                name(),
                system.getAvailableProcessors(),
                threads,
                memoryBytes(),
                "%s %s".formatted(system.getName(), system.getArch()),
                backend.description(),
                slowDown,
                processor(CpuInfo.lines()),
                backend.instructionSet().or(InstructionSet::read).orElse(null));
    }

    /**
     * Returns the model of the first processor; on ARM, its implementer and part, as there is no
     * model.
     *
     * @param lines of {@link CpuInfo}
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

    /** Returns whether a name has an address; a literal address has one. */
    static boolean isResolved(String host) {
        return !addresses(host).isEmpty();
    }

    /** Returns whether a name or an address leads each host to itself; not if it is unknown. */
    static boolean isLoopback(String host) {
        List<InetAddress> all = addresses(host);
        return !all.isEmpty()
                && all.stream().allMatch(it -> it.isLoopbackAddress() || it.isAnyLocalAddress());
    }

    private static List<InetAddress> addresses(String host) {
        try {
            return List.of(InetAddress.getAllByName(host));
        } catch (UnknownHostException e) {
            return List.of();
        }
    }

    /**
     * Returns the addresses of this host that others may reach, each with its interface, such as
     * {@code 192.168.1.5 (eth0)}.
     */
    static List<String> ownAddresses() {
        try {
            return NetworkInterface.networkInterfaces()
                    .flatMap(HostInspector::reachableAddresses)
                    .limit(MAX_ADDRESSES)
                    .toList();
        } catch (SocketException e) {
            return List.of();
        }
    }

    private static Stream<String> reachableAddresses(NetworkInterface one) {
        return one.inetAddresses()
                .filter(it -> !it.isLoopbackAddress() && !it.isLinkLocalAddress())
                .map(it -> "%s (%s)".formatted(withoutScope(it), one.getName()));
    }

    private static String withoutScope(InetAddress address) {
        return address.getHostAddress().replaceFirst("%.*", "");
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
