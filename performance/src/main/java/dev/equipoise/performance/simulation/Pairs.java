package dev.equipoise.performance.simulation;

import dev.equipoise.performance.simulation.Timing.ReplicaTime;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * AD-PSGD: while an active replica computes, it meets a passive one, and both give each other their
 * weights; it goes on when it has done both. Passive ones, every second, answer beside their
 * computing.
 */
final class Pairs {

    private final Scenario scenario;
    private final Computing computing;
    private final double[] clock;
    private final double[] transfer;
    private double bytes;

    Pairs(Scenario scenario, Computing computing) {
        this.scenario = scenario;
        this.computing = computing;
        this.clock = new double[scenario.replicas()];
        this.transfer = new double[scenario.replicas()];
    }

    Timing play() {
        double frame = scenario.traffic().frameBytes();
        for (int replica = 0; replica < clock.length; replica++) {
            boolean isActive = replica % 2 == 0 && clock.length > 1;
            double meeting = isActive ? meetingSeconds(replica, frame) : 0;
            for (int round = 0; round < scenario.rounds(); round++) {
                double computed = computing.next(replica);
                transfer[replica] += Math.max(0, meeting - computed);
                clock[replica] += Math.max(computed, meeting);
                bytes += isActive ? 2 * frame : 0;
            }
        }
        return new Timing(
                DoubleStream.of(clock).max().orElseThrow(),
                IntStream.range(0, clock.length)
                        .mapToObj(i -> new ReplicaTime(computing.spent(i), transfer[i], 0))
                        .toList(),
                bytes,
                0,
                new TreeMap<>());
    }

    /** There and back, with the replica to its right for all it may meet. */
    private double meetingSeconds(int replica, double frame) {
        int other = (replica + 1) % clock.length;
        return scenario.links().seconds(replica, other, frame)
                + scenario.links().seconds(other, replica, frame);
    }
}
