package dev.equipoise.protocol;

import java.util.List;

/**
 * Answer to a {@link Registration}.
 *
 * @param clusterName name of the lab's Hazelcast cluster, which a process must know to join
 * @param members cluster addresses of the live workers, oldest first, without the new worker
 */
public record Admission(WorkerId worker, String clusterName, List<String> members)
        implements ServiceMessage {

    public Admission {
        members = List.copyOf(members);
    }

    /** Omits the cluster name, which must not reach a log. */
    @Override
    public String toString() {
        return "Admission[worker=%s, members=%s]".formatted(worker, members);
    }
}
