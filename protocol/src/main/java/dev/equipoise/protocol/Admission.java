package dev.equipoise.protocol;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Answer to a {@link Registration}.
 *
 * @param worker id of the worker
 * @param clusterName name of the lab's Hazelcast cluster, which a process must know to join
 * @param members cluster addresses of the live workers, oldest first, without the new worker
 * @param version product version of the service; null of services that predate the field
 * @param protocol protocol version of the service; null of services that predate the field
 */
public record Admission(
        WorkerId worker,
        String clusterName,
        List<String> members,
        @Nullable SoftwareVersion version,
        @Nullable ProtocolVersion protocol)
        implements ServiceMessage {

    public Admission {
        members = List.copyOf(members);
    }

    /** Creates an admission without versions. */
    public Admission(WorkerId worker, String clusterName, List<String> members) {
        this(worker, clusterName, members, null, null);
    }

    /** Product and protocol version of the service. */
    public ReleaseVersion release() {
        return ReleaseVersion.of(version, protocol);
    }

    /** Omits the cluster name, which must not reach a log. */
    @Override
    public String toString() {
        return "Admission[worker=%s, members=%s]".formatted(worker, members);
    }
}
