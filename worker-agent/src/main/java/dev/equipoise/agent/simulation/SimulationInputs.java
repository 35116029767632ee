package dev.equipoise.agent.simulation;

import dev.equipoise.agent.order.ExecutionOrder;
import dev.equipoise.agent.virtual.ComputeTime;
import dev.equipoise.agent.virtual.LinkModel;
import dev.equipoise.agent.virtual.LinkSpeed;
import dev.equipoise.performance.partition.SpeedFunction;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.TrainingPlan;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Inputs of a simulation: links, compute times and execution orders.
 *
 * @param computeTimes by rank, without slowdown
 * @param orders execution order by rank
 */
record SimulationInputs(
        LinkModel links,
        IntFunction<ComputeTime> computeTimes,
        IntFunction<ExecutionOrder> orders) {

    private static final double NANOS_PER_SECOND = 1e9;

    /** Nominal link, so that the clocks advance at all. */
    private static final LinkSpeed NOMINAL_LINK = new LinkSpeed(1_000, 0.1);

    private static final ComputeTime NOMINAL_TIME = ComputeTime.ofRate(1e6);

    /** Returns the speeds and links of a virtual run. */
    static SimulationInputs virtual(TrainingPlan plan, Execution.Virtual virtual) {
        LinkSpeed link = speed(virtual.link());
        return new SimulationInputs(
                (_, _) -> link,
                rank -> computeTime(plan, virtual, rank),
                rank -> ExecutionOrder.of(plan, rank));
    }

    /** Returns recorded execution orders for a replay, in which speeds and links do not matter. */
    static SimulationInputs replay(IntFunction<ExecutionOrder> orders) {
        return new SimulationInputs((_, _) -> NOMINAL_LINK, _ -> NOMINAL_TIME, orders);
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
