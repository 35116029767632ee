package dev.equipoise.agent.virtual;

import dev.equipoise.agent.link.LinkCost;
import dev.equipoise.agent.link.LinkMatrix;

/** Link model: gives the speed of each link; equal arguments must give equal results. */
@FunctionalInterface
public interface LinkModel {

    /** Returns the speed of frames from one rank to another, different one. */
    LinkSpeed speed(int from, int to);

    /** Returns a model of equal links. */
    static LinkModel uniform(long latencyNanos, double nanosPerByte) {
        var speed = new LinkSpeed(latencyNanos, nanosPerByte);
        return (_, _) -> speed;
    }

    /** Returns a model of measured links, rounded to nanoseconds. */
    static LinkModel of(LinkMatrix matrix) {
        return (from, to) -> {
            LinkCost cost = matrix.cost(from, to);
            return new LinkSpeed(Math.round(cost.alpha() * 1e9), cost.beta() * 1e9);
        };
    }
}
