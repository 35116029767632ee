package dev.equipoise.app.rate;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Whose addresses count as one: of IPv6, where whoever has one has 2^64, those that share their
 * first 64 bits; of IPv4 each is its own.
 */
public record Network(String text) {

    private static final int PREFIX_BYTES = 8;

    /**
     * That of an address.
     *
     * @param address as digits; what is none stands for itself
     */
    public static Network of(String address) {
        if (address.indexOf(':') < 0) {
            return new Network(address);
        }
        try {
            InetAddress literal = InetAddress.ofLiteral(address);
            return new Network(
                    literal instanceof Inet6Address six ? prefix(six) : literal.getHostAddress());
        } catch (IllegalArgumentException none) {
            return new Network(address);
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
