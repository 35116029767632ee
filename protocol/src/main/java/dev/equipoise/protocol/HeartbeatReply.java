package dev.equipoise.protocol;

import java.util.List;

/**
 * Answer of the service to a {@link Heartbeat}.
 *
 * @param rejoin whether the worker sees another cluster than the rest and must join again
 * @param leave whether the worker must leave, since its drain has ended
 * @param renew whether the worker must choose a new credential, since its own is old
 * @param members cluster addresses of the other live workers, oldest first
 */
public record HeartbeatReply(boolean rejoin, boolean leave, boolean renew, List<String> members)
        implements ServiceMessage {

    public HeartbeatReply {
        members = List.copyOf(members);
    }
}
