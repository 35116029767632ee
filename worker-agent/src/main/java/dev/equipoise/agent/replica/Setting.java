package dev.equipoise.agent.replica;

import dev.equipoise.agent.order.EventOrder;
import dev.equipoise.agent.virtual.ComputeTime;
import dev.equipoise.agent.virtual.LinkModel;
import dev.equipoise.agent.virtual.LinkSpeed;
import dev.equipoise.performance.partition.SpeedFunction;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.TrainingPlan;
import java.util.List;
import java.util.function.IntFunction;

/**
 * What the ranks of a simulation find.
 *
 * @param computeTimes by rank, where nothing slows it down
 * @param orders by rank, in which its threads decide
 */
record Setting(
        LinkModel links, IntFunction<ComputeTime> computeTimes, IntFunction<EventOrder> orders) {

    private static final double NANOS_PER_SECOND = 1e9;

    /** So that clocks go on at all. */
    private static final LinkSpeed NOMINAL_LINK = new LinkSpeed(1_000, 0.1);

    private static final ComputeTime NOMINAL_TIME = ComputeTime.ofRate(1e6);

    /** With the speeds and links that are told. */
    static Setting virtual(TrainingPlan plan, Execution.Virtual virtual) {
        LinkSpeed link = speed(virtual.link());
        return new Setting(
                (_, _) -> link,
                rank -> computeTime(plan, virtual, rank),
                rank -> EventOrder.of(plan, rank));
    }

    /** With decisions that are made already, so that speeds and links matter to nothing. */
    static Setting replay(IntFunction<EventOrder> orders) {
        return new Setting((_, _) -> NOMINAL_LINK, _ -> NOMINAL_TIME, orders);
    }

    private static ComputeTime computeTime(TrainingPlan plan, Execution.Virtual virtual, int rank) {
        List<SpeedFunction.Point> points =
                virtual.speed(rank).points().stream()
                        .map(point -> new SpeedFunction.Point(point.size(), point.seconds()))
                        .toList();
        return new ComputeTime(SpeedFunction.piecewise(points), virtual.jitter(), plan.seed());
    }

    private static LinkSpeed speed(Execution.Link link) {
        return new LinkSpeed(
                Math.round(link.latencyMicroseconds() * 1e3),
                NANOS_PER_SECOND / (link.megabytesPerSecond() * 1e6));
    }
}
