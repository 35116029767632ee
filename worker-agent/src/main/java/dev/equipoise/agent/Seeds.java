package dev.equipoise.agent;

import dev.equipoise.agent.cluster.HostAndPort;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where members of the lab's cluster may be. */
final class Seeds {

    private static final Logger log = LoggerFactory.getLogger(Seeds.class);

    private Seeds() {}

    /**
     * Those that the service names, and then all the addresses of names, as that of a headless
     * service has one for each agent.
     *
     * @param names as {@code host:port}; one that has no address now is left out
     */
    static List<String> of(List<String> told, List<String> names) {
        return Stream.concat(told.stream(), names.stream().flatMap(Seeds::addresses))
                .distinct()
                .toList();
    }

    private static Stream<String> addresses(String name) {
        HostAndPort member = HostAndPort.parse(name).orElseThrow();
        try {
            return Arrays.stream(InetAddress.getAllByName(member.host()))
                    .map(it -> Host.address(it.getHostAddress(), member.port()));
        } catch (UnknownHostException e) {
            log.info("no member is sought at {}, which has no address", name);
            return Stream.empty();
        }
    }
}
