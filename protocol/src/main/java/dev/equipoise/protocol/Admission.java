package dev.equipoise.protocol;

import java.util.List;

/**
 * The answer to a {@link Registration}.
 *
 * @param credential the bearer token of this worker from now on
 * @param clusterName the name of the lab's cluster
 * @param members cluster addresses of the live workers, oldest first, without the newcomer
 */
public record Admission(
        WorkerId worker, String credential, String clusterName, List<String> members) {

    public Admission {
        members = List.copyOf(members);
    }

    /** Without the credential, which must not reach a log. */
    @Override
    public String toString() {
        return "Admission[worker=%s, cluster=%s, members=%s]"
                .formatted(worker, clusterName, members);
    }
}
