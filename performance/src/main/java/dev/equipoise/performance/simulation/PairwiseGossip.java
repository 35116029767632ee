package dev.equipoise.performance.simulation;

import dev.equipoise.performance.simulation.Timing.ReplicaTime;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * AD-PSGD (Lian et al. 2018; docs/algorithms.md, section 2.5): while an active replica computes, it
 * averages its weights with a passive one, and its round ends when both are done. Replicas of odd
 * number are passive and answer beside their computing.
 */
final class PairwiseGossip {

    private final Scenario scenario;
    private final Computing computing;
    private final double[] clock;
    private final double[] transfer;
    private double bytes;

    PairwiseGossip(Scenario scenario, Computing computing) {
        this.scenario = scenario;
        this.computing = computing;
        this.clock = new double[scenario.replicas()];
        this.transfer = new double[scenario.replicas()];
    }

    Timing play() {
        double frame = scenario.traffic().frameBytes();
        for (int replica = 0; replica < clock.length; replica++) {
            boolean isActive = replica % 2 == 0 && clock.length > 1;
            double averaging = isActive ? averagingSeconds(replica, frame) : 0;
            for (int round = 0; round < scenario.rounds(); round++) {
                double computed = computing.next(replica);
                transfer[replica] += Math.max(0, averaging - computed);
                clock[replica] += Math.max(computed, averaging);
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

    /**
     * Seconds of both frames, with the link to the next replica standing for that to any partner.
     */
    private double averagingSeconds(int replica, double frame) {
        int other = (replica + 1) % clock.length;
        return scenario.links().seconds(replica, other, frame)
                + scenario.links().seconds(other, replica, frame);
    }
}
