package dev.equipoise.protocol;

import java.util.List;

/**
 * The answer to a {@link Registration}.
 *
 * @param clusterName the name of the lab's cluster
 * @param members cluster addresses of the live workers, oldest first, without the newcomer
 */
public record Admission(WorkerId worker, String clusterName, List<String> members)
        implements ServiceMessage {

    public Admission {
        members = List.copyOf(members);
    }
}
