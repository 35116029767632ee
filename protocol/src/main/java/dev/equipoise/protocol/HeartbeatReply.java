package dev.equipoise.protocol;

import java.util.List;

/**
 * What the service answers to a {@link Heartbeat}.
 *
 * @param rejoin whether the worker sees another cluster than the rest and must join again
 * @param members cluster addresses of the other live workers, oldest first
 */
public record HeartbeatReply(boolean rejoin, List<String> members) {

    public HeartbeatReply {
        members = List.copyOf(members);
    }
}
