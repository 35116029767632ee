package dev.equipoise.agent.lifecycle;

import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Checks the address at which an agent tells the others to reach it. A loopback address leads each
 * host to itself, so it serves only a lab whose service is on the same host.
 */
final class AdvertisedAddress {

    private AdvertisedAddress() {}

    /**
     * Returns why an agent must not advertise an address, and what to do; empty if it may.
     *
     * @param isLoopback whether a name or an address leads to the host itself
     * @param own the other addresses of this host
     */
    static Optional<String> refusal(
            String host, URI service, Predicate<String> isLoopback, List<String> own) {
        return !isLoopback.test(host) || isLoopback.test(service.getHost())
                ? Optional.empty()
                : Optional.of(
                        "the other agents would look for this one at %s, which leads each host to itself, and the service %s is on another host: %s"
                                .formatted(host, service, wayOut(own)));
    }

    private static String wayOut(List<String> own) {
        return own.isEmpty()
                ? "connect this host to their network, as it has no other address"
                : "set --host to an address at which they reach this host; it has "
                        + String.join(", ", own);
    }
}
