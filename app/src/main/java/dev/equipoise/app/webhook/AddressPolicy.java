package dev.equipoise.app.webhook;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.security.util.matcher.InetAddressMatcher;
import org.springframework.security.util.matcher.InetAddressMatchers;

/**
 * Decides to which addresses the service may deliver: public ones, and those of networks that the
 * administrator allows. Otherwise an owner of a project could reach services inside the lab's
 * network that trust the host of this service (server-side request forgery).
 *
 * <p>Of IPv6, only global unicast addresses are public. This excludes loopback, unique local,
 * link-local and multicast addresses, and those that translate to IPv4 (NAT64). Java itself reads
 * IPv4-mapped addresses as IPv4.
 */
final class AddressPolicy {

    /** Networks of the IANA registries of special-purpose addresses (RFC 6890). */
    private static final List<Network> SPECIAL =
            networks(
                    Stream.of(
                            "0.0.0.0/8",
                            "10.0.0.0/8",
                            "100.64.0.0/10",
                            "127.0.0.0/8",
                            "169.254.0.0/16",
                            "172.16.0.0/12",
                            "192.0.0.0/24",
                            "192.0.2.0/24",
                            "192.88.99.0/24",
                            "192.168.0.0/16",
                            "198.18.0.0/15",
                            "198.51.100.0/24",
                            "203.0.113.0/24",
                            // Multicast, reserved addresses and broadcast.
                            "224.0.0.0/3",
                            // Teredo and other protocols, documentation, 6to4.
                            "2001::/23",
                            "2001:db8::/32",
                            "2002::/16",
                            "3fff::/20"));

    private static final Network GLOBAL_UNICAST = Network.of("2000::/3");

    private final List<Network> allowed;

    /**
     * Creates a policy.
     *
     * @param allowedNetworks networks beside the public ones, for example {@code 10.1.0.0/16}
     * @throws IllegalArgumentException if one of them is no network
     */
    AddressPolicy(List<String> allowedNetworks) {
        allowed = networks(allowedNetworks.stream());
    }

    private static List<Network> networks(Stream<String> texts) {
        return texts.map(Network::of).toList();
    }

    /** Network of one version of IP: the matcher alone compares bytes of any version. */
    private record Network(InetAddressMatcher matcher, boolean isVersion6) {

        static Network of(String text) {
            return new Network(InetAddressMatchers.fromIpAddress(text), text.contains(":"));
        }

        boolean contains(InetAddress address) {
            return address instanceof Inet6Address == isVersion6 && matcher.matches(address);
        }
    }

    /** Returns whether the service may connect to an address. */
    boolean allows(InetAddress address) {
        return contains(allowed, address) || isPublic(address);
    }

    private static boolean isPublic(InetAddress address) {
        return !contains(SPECIAL, address)
                && (!(address instanceof Inet6Address) || GLOBAL_UNICAST.contains(address));
    }

    private static boolean contains(List<Network> networks, InetAddress address) {
        return networks.stream().anyMatch(it -> it.contains(address));
    }
}
