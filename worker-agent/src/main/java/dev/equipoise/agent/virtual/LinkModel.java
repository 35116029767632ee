package dev.equipoise.agent.virtual;

import dev.equipoise.agent.link.LinkCost;
import dev.equipoise.agent.link.LinkMatrix;

/** How fast the links between the ranks are; equal questions must have equal answers. */
@FunctionalInterface
public interface LinkModel {

    /** Of the frames from one rank to another, which are never the same. */
    LinkSpeed speed(int from, int to);

    /** All links alike. */
    static LinkModel uniform(long latencyNanos, double nanosPerByte) {
        var speed = new LinkSpeed(latencyNanos, nanosPerByte);
        return (_, _) -> speed;
    }

    /** As the links were measured, to the nanosecond. */
    static LinkModel of(LinkMatrix matrix) {
        return (from, to) -> {
            LinkCost cost = matrix.cost(from, to);
            return new LinkSpeed(Math.round(cost.alpha() * 1e9), cost.beta() * 1e9);
        };
    }
}
