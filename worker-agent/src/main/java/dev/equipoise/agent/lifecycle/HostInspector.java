package dev.equipoise.agent.lifecycle;

import com.sun.management.OperatingSystemMXBean;
import dev.equipoise.agent.network.step.Backend;
import dev.equipoise.protocol.HostDescription;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.UnknownHostException;

/** Inspects the host on which the agent runs. */
final class HostInspector {

    private static final String LOOPBACK = "127.0.0.1";

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
        ProcessorInfo processor = ProcessorInfo.read();
        return new HostDescription(
                name(),
                system.getAvailableProcessors(),
                threads,
                memoryBytes(),
                "%s %s".formatted(system.getName(), system.getArch()),
                backend.description(),
                slowDown,
                processor.model(),
                backend.instructionSet().orElse(processor.instructionSet()));
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
