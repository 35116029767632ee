package dev.equipoise.agent;

import dev.equipoise.agent.channel.Timeouts;
import java.time.Duration;

/**
 * How long an agent waits for others. A slow or busy machine may need more.
 *
 * @param joining to reach a service that does not answer
 * @param request for an answer of the service
 * @param meeting for the other ranks of a run, when it begins
 * @param regrouping for the ranks that are left, when a run goes on without lost ranks
 * @param idle without a byte sent or received within an exchange
 */
record AgentTimeouts(
        Duration joining, Duration request, Duration meeting, Duration regrouping, Duration idle) {

    /** For ranks that meet for the first time; they come up at different times. */
    Timeouts ofMeeting() {
        return new Timeouts(meeting, idle);
    }

    /** For ranks that were all there a moment ago: one that does not come is lost as well. */
    Timeouts ofRegrouping() {
        return new Timeouts(regrouping, idle);
    }
}
