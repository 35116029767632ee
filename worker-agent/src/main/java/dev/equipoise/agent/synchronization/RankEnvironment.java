package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.order.ExecutionOrder;
import dev.equipoise.agent.time.BackgroundThread;
import dev.equipoise.agent.time.Time;

/**
 * Environment of one rank: a process with a real clock and real links, or a part of a virtual
 * cluster.
 *
 * @param background second thread, for exchanges that overlap with computing
 * @param order execution order of the rank's threads
 */
public record RankEnvironment(
        Channel channel, Time time, BackgroundThread background, ExecutionOrder order) {

    /** Returns the same environment without a recorded or replayed execution order. */
    RankEnvironment withFreeOrder() {
        return new RankEnvironment(channel, time, background, ExecutionOrder.FREE);
    }
}
