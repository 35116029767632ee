package dev.equipoise.performance.simulation;

import dev.equipoise.performance.simulation.Timing.ReplicaTime;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;
import java.util.Arrays;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Overlapped all-reduce (docs/algorithms.md, section 5): after a replica has contributed its
 * gradients, it keeps computing on its current weights. It polls the sum after every round, and
 * blocks for it once it has taken more mini-batches on these weights than the staleness bound.
 */
final class OverlappedAllReduce {

    private final Scenario scenario;
    private final Computing computing;
    private final Exchange allReduce;
    private final int maxStaleness;
    private final int[] roundsLeft;
    private final double[] clock;
    private final double[] joined;
    private final int[] onOldWeights;
    private final boolean[] hasCollected;
    private final double[] wait;
    private final TreeMap<Integer, Long> staleness = new TreeMap<>();

    OverlappedAllReduce(Scenario scenario, Synchronization.Async async, Computing computing) {
        this.scenario = scenario;
        this.computing = computing;
        this.allReduce =
                AllReduces.of(
                        ((Topology.AllReduce) scenario.method().topology()).algorithm(), scenario);
        this.maxStaleness = Objects.requireNonNull(async.maxStaleness());
        int replicas = scenario.replicas();
        this.roundsLeft = new int[replicas];
        this.clock = new double[replicas];
        this.joined = new double[replicas];
        this.onOldWeights = new int[replicas];
        this.hasCollected = new boolean[replicas];
        this.wait = new double[replicas];
    }

    Timing play() {
        Arrays.fill(roundsLeft, scenario.rounds());
        boolean isAnyLeft = true;
        while (isAnyLeft) {
            isAnyLeft = playAllReduce();
        }
        return timing();
    }

    /**
     * Simulates all replicas from one all-reduce to the next.
     *
     * @return false if no gradients were left
     */
    private boolean playAllReduce() {
        boolean isAny = false;
        for (int replica = 0; replica < clock.length; replica++) {
            if (!hasCollected[replica] && roundsLeft[replica] > 0) {
                computeOne(replica);
            }
            isAny |= hasCollected[replica];
            hasCollected[replica] = false;
            joined[replica] = clock[replica];
        }
        if (!isAny) {
            return false;
        }
        double[] ends = joined.clone();
        allReduce.play(ends, new double[ends.length]);
        for (int replica = 0; replica < clock.length; replica++) {
            computeUntil(replica, ends[replica]);
        }
        return true;
    }

    private void computeUntil(int replica, double end) {
        while (clock[replica] < end
                && roundsLeft[replica] > 0
                && onOldWeights[replica] <= maxStaleness) {
            computeOne(replica);
        }
        wait[replica] += Math.max(0, end - clock[replica]);
        clock[replica] = Math.max(clock[replica], end);
        onOldWeights[replica] = 0;
    }

    private void computeOne(int replica) {
        staleness.merge(onOldWeights[replica], 1L, Long::sum);
        clock[replica] += computing.next(replica);
        onOldWeights[replica] += scenario.batches().get(replica);
        roundsLeft[replica]--;
        hasCollected[replica] = true;
    }

    private Timing timing() {
        return new Timing(
                DoubleStream.of(clock).max().orElseThrow(),
                IntStream.range(0, clock.length)
                        .mapToObj(i -> new ReplicaTime(computing.spent(i), 0, wait[i]))
                        .toList(),
                allReduce.bytes(),
                0,
                staleness);
    }
}
