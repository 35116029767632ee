package dev.equipoise.agent;

import dev.equipoise.agent.channel.Timeouts;
import java.time.Duration;

/**
 * How long an agent waits for others. A slow or busy machine may need more.
 *
 * @param joining to reach a service that does not answer
 * @param request for an answer of the service
 * @param meeting for the other ranks of a run, when it begins
 * @param reconfiguration for the ranks that are left, when a run goes on without lost ranks
 * @param idle without a byte sent or received within an exchange
 */
record AgentTimeouts(
        Duration joining,
        Duration request,
        Duration meeting,
        Duration reconfiguration,
        Duration idle) {

    /** Timeouts for ranks that meet when a run begins. They come up at different times. */
    Timeouts ofMeeting() {
        return new Timeouts(meeting, idle);
    }

    /** Timeouts for ranks that reconfigure after a loss. */
    Timeouts ofReconfiguration() {
        return new Timeouts(reconfiguration, idle);
    }
}
