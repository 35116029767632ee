package dev.equipoise.agent.lifecycle;

import dev.equipoise.agent.channel.Timeouts;
import java.time.Duration;

/**
 * Timeouts of an agent. A slow or busy host may need longer ones.
 *
 * @param joining for reaching a service that does not answer
 * @param request for an answer of the service
 * @param meeting for the rendezvous with the other ranks when a run begins
 * @param reconfiguration for the surviving ranks when a run continues without lost ranks
 * @param idle time in an exchange without a byte sent or received
 */
record AgentTimeouts(
        Duration joining,
        Duration request,
        Duration meeting,
        Duration reconfiguration,
        Duration idle) {

    /** Returns the timeouts of a rendezvous when a run begins: ranks start at different times. */
    Timeouts ofMeeting() {
        return new Timeouts(meeting, idle);
    }

    /** Returns the timeouts of a rendezvous of surviving ranks. */
    Timeouts ofReconfiguration() {
        return new Timeouts(reconfiguration, idle);
    }
}
