package dev.equipoise.agent.lifecycle;

import dev.equipoise.agent.cluster.HostAndPort;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Resolves the seed members at which the lab's cluster can be joined. */
final class SeedMembers {

    private static final Logger log = LoggerFactory.getLogger(SeedMembers.class);

    private SeedMembers() {}

    /**
     * Returns the members that the service names, and then all addresses of the given names; the
     * name of a headless Kubernetes service has one address for each agent.
     *
     * @param names as {@code host:port}; a name without an address is skipped
     */
    static List<String> of(List<String> named, List<String> names) {
        return Stream.concat(named.stream(), names.stream().flatMap(SeedMembers::addresses))
                .distinct()
                .toList();
    }

    private static Stream<String> addresses(String name) {
        HostAndPort member = HostAndPort.parse(name).orElseThrow();
        try {
            return Arrays.stream(InetAddress.getAllByName(member.host()))
                    .map(it -> HostInspector.address(it.getHostAddress(), member.port()));
        } catch (UnknownHostException e) {
            log.info("skipped the seed member {}: the name has no address", name);
            return Stream.empty();
        }
    }
}
