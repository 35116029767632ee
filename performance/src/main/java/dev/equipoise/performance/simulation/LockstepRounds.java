package dev.equipoise.performance.simulation;

import dev.equipoise.performance.simulation.Timing.ReplicaTime;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Simulates replicas that compute and, every {@code period} rounds, exchange before they continue.
 */
final class LockstepRounds {

    private final Scenario scenario;
    private final int period;
    private final Exchange exchange;
    private final Computing computing;
    private final double[] clock;
    private final double[] begun;
    private final double[] needed;
    private final double[] transfer;
    private final double[] wait;

    LockstepRounds(Scenario scenario, int period, Exchange exchange, Computing computing) {
        this.scenario = scenario;
        this.period = period;
        this.exchange = exchange;
        this.computing = computing;
        int replicas = scenario.replicas();
        this.clock = new double[replicas];
        this.begun = new double[replicas];
        this.needed = new double[replicas];
        this.transfer = new double[replicas];
        this.wait = new double[replicas];
    }

    Timing play() {
        for (int round = 1; round <= scenario.rounds(); round++) {
            for (int replica = 0; replica < clock.length; replica++) {
                clock[replica] += computing.next(replica);
            }
            if (round % period == 0 && scenario.isExchanging()) {
                synchronize();
            }
        }
        return timing();
    }

    private void synchronize() {
        for (int replica = 0; replica < clock.length; replica++) {
            clock[replica] += scenario.traffic().codecSeconds();
        }
        System.arraycopy(clock, 0, begun, 0, clock.length);
        exchange.play(clock, needed);
        for (int replica = 0; replica < clock.length; replica++) {
            double waited = Math.max(0, needed[replica] - begun[replica]);
            wait[replica] += waited;
            transfer[replica] += clock[replica] - begun[replica] - waited;
        }
    }

    private Timing timing() {
        double seconds = DoubleStream.of(clock).max().orElseThrow();
        return new Timing(
                seconds,
                IntStream.range(0, clock.length)
                        .mapToObj(i -> new ReplicaTime(computing.spent(i), transfer[i], wait[i]))
                        .toList(),
                exchange.bytes(),
                seconds > 0 ? exchange.serverBusy() / seconds : 0,
                new TreeMap<>());
    }
}
