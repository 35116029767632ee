package dev.equipoise.protocol;

import java.util.List;

/**
 * What the service answers to a {@link Heartbeat}.
 *
 * @param rejoin whether the worker sees another cluster than the rest and must join again
 * @param leave whether the worker is to leave, as it has nothing to do and gets nothing more
 * @param renew whether the worker is to choose another credential, as its own is old
 * @param members cluster addresses of the other live workers, oldest first
 */
public record HeartbeatReply(boolean rejoin, boolean leave, boolean renew, List<String> members)
        implements ServiceMessage {

    public HeartbeatReply {
        members = List.copyOf(members);
    }
}
