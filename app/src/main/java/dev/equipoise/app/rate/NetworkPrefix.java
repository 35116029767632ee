package dev.equipoise.app.rate;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * A network whose addresses count as one client. An IPv6 client usually has 2^64 addresses, so that
 * those with the same first 64 bits count as one; each IPv4 address counts alone.
 */
public record NetworkPrefix(String text) {

    private static final int PREFIX_BYTES = 8;

    /**
     * Returns the network of an address.
     *
     * @param address in numeric form; any other text is its own network
     */
    public static NetworkPrefix of(String address) {
        if (address.indexOf(':') < 0) {
            return new NetworkPrefix(address);
        }
        try {
            InetAddress literal = InetAddress.ofLiteral(address);
            return new NetworkPrefix(
                    literal instanceof Inet6Address six ? prefix(six) : literal.getHostAddress());
        } catch (IllegalArgumentException none) {
            return new NetworkPrefix(address);
        }
    }

    private static String prefix(Inet6Address address) {
        return HexFormat.of().formatHex(Arrays.copyOf(address.getAddress(), PREFIX_BYTES)) + "/64";
    }

    @Override
    public String toString() {
        return text;
    }
}
