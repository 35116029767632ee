package dev.equipoise.agent;

import com.sun.management.OperatingSystemMXBean;
import dev.equipoise.protocol.HostDescription;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.UnknownHostException;

/** What the agent finds out about the machine on which it runs. */
final class Host {

    private static final String LOOPBACK = "127.0.0.1";

    private Host() {}

    /** Physical. */
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
                slowDown);
    }

    static String name() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }

    /** The address of the interface over which the service is reached. */
    static String addressTowards(URI service) {
        try (var socket = new DatagramSocket()) {
            // A datagram socket finds its route when it connects, and sends nothing for it.
            socket.connect(new InetSocketAddress(service.getHost(), 9));
            InetAddress local = socket.getLocalAddress();
            return local.isLoopbackAddress() || local.isAnyLocalAddress()
                    ? LOOPBACK
                    : local.getHostAddress();
        } catch (IOException | RuntimeException e) {
            return LOOPBACK;
        }
    }

    /** As host:port, with brackets around an IPv6 address. */
    static String address(String host, int port) {
        return (host.contains(":") ? "[%s]:%d" : "%s:%d").formatted(host, port);
    }

    /** A port that nobody holds at this moment. */
    static int freePort(String host) {
        try (var socket = new ServerSocket(0, 1, InetAddress.getByName(host))) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new AgentFailed("%s is not an address of this machine".formatted(host), e);
        }
    }
}
