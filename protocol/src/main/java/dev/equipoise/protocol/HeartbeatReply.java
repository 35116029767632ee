package dev.equipoise.protocol;

import java.util.List;

/**
 * Answer of the service to a {@link Heartbeat}.
 *
 * @param rejoin whether the worker sees another cluster than the rest and must join again
 * @param leave whether the worker must leave, since its drain has ended
 * @param renew whether the worker must choose a new credential, since its own is old
 * @param members cluster addresses of the other live workers, oldest first
 * @param probes workers whose data addresses the agent shall try; a later heartbeat has the results
 */
public record HeartbeatReply(
        boolean rejoin,
        boolean leave,
        boolean renew,
        List<String> members,
        List<ProbeRequest> probes)
        implements ServiceMessage {

    public HeartbeatReply {
        members = List.copyOf(members);
        // A service of the version before asks for none.
        probes = probes == null ? List.of() : List.copyOf(probes);
    }

    /** Creates a reply without probes. */
    public HeartbeatReply(boolean rejoin, boolean leave, boolean renew, List<String> members) {
        this(rejoin, leave, renew, members, List.of());
    }
}
