package dev.equipoise.agent.cluster;

import java.net.InetSocketAddress;
import java.util.Optional;

/** An unresolved address, {@code host:port} or {@code [v6]:port}. */
public record HostAndPort(String host, int port) {

    private static final int MAX_PORT = 65_535;
    private static final int MAX_PORT_DIGITS = 5;

    /** Parses an address from an untrusted peer; empty if the text is not one. */
    public static Optional<HostAndPort> parse(String text) {
        int colon = text.lastIndexOf(':');
        if (colon <= 0) {
            return Optional.empty();
        }
        String host = withoutBrackets(text.substring(0, colon));
        String port = text.substring(colon + 1);
        if (host.isBlank() || !isPort(port)) {
            return Optional.empty();
        }
        return Optional.of(new HostAndPort(host, Integer.parseInt(port)));
    }

    /** Resolves the host; the result is unresolved if that fails. */
    public InetSocketAddress toSocketAddress() {
        return new InetSocketAddress(host, port);
    }

    private static boolean isPort(String text) {
        return !text.isEmpty()
                && text.length() <= MAX_PORT_DIGITS
                && text.chars().allMatch(digit -> digit >= '0' && digit <= '9')
                && Integer.parseInt(text) >= 1
                && Integer.parseInt(text) <= MAX_PORT;
    }

    private static String withoutBrackets(String host) {
        return host.startsWith("[") && host.endsWith("]")
                ? host.substring(1, host.length() - 1)
                : host;
    }
}
