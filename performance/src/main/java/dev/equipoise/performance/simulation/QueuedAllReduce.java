package dev.equipoise.performance.simulation;

import dev.equipoise.performance.simulation.Timing.ReplicaTime;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Asynchronous all-reduce with a queue of sums (docs/algorithms.md, section 5.1): each round has a
 * sum of its own, which begins on a replica when its gradients are computed and the sum before is
 * complete. A replica begins round k when the sum of round k - N is complete, where N is the limit
 * of sums in flight.
 */
final class QueuedAllReduce {

    private final Scenario scenario;
    private final Computing computing;
    private final Exchange allReduce;

    /** Ends of the latest N sums, by round modulo N and replica. */
    private final double[][] ends;

    /** Number of sums that each replica has applied. */
    private final int[] applied;

    private final double[] clock;
    private final double[] wait;
    private final TreeMap<Integer, Long> staleness = new TreeMap<>();

    QueuedAllReduce(Scenario scenario, Synchronization.Async async, Computing computing) {
        this.scenario = scenario;
        this.computing = computing;
        this.allReduce =
                AllReduces.of(
                        ((Topology.AllReduce) scenario.method().topology()).algorithm(), scenario);
        int replicas = scenario.replicas();
        int limit = Math.min(Objects.requireNonNull(async.inFlight()), scenario.rounds());
        this.ends = new double[limit][replicas];
        this.applied = new int[replicas];
        this.clock = new double[replicas];
        this.wait = new double[replicas];
    }

    Timing play() {
        for (int round = 0; round < scenario.rounds(); round++) {
            for (int replica = 0; replica < clock.length; replica++) {
                begin(replica, round);
                clock[replica] += computing.next(replica);
            }
            sum(round);
        }
        for (int replica = 0; replica < clock.length; replica++) {
            waitFor(replica, scenario.rounds() - 1);
        }
        return timing();
    }

    /** Applies the complete sums before a round; waits only at the limit of sums in flight. */
    private void begin(int replica, int round) {
        if (round >= ends.length) {
            waitFor(replica, round - ends.length);
        }
        while (applied[replica] < round && end(applied[replica], replica) <= clock[replica]) {
            applied[replica]++;
        }
        int inFlight = round - applied[replica];
        staleness.merge(inFlight * scenario.batches().get(replica), 1L, Long::sum);
    }

    private void waitFor(int replica, int round) {
        double end = end(round, replica);
        wait[replica] += Math.max(0, end - clock[replica]);
        clock[replica] = Math.max(clock[replica], end);
        applied[replica] = Math.max(applied[replica], round + 1);
    }

    private double end(int round, int replica) {
        return ends[round % ends.length][replica];
    }

    private void sum(int round) {
        double[] ready = clock.clone();
        if (round > 0) {
            for (int replica = 0; replica < ready.length; replica++) {
                ready[replica] = Math.max(ready[replica], end(round - 1, replica));
            }
        }
        allReduce.play(ready, new double[ready.length]);
        System.arraycopy(ready, 0, ends[round % ends.length], 0, ready.length);
    }

    private Timing timing() {
        List<ReplicaTime> replicas =
                IntStream.range(0, clock.length)
                        .mapToObj(i -> new ReplicaTime(computing.spent(i), 0, wait[i]))
                        .toList();
        return new Timing(
                DoubleStream.of(clock).max().orElseThrow(),
                replicas,
                allReduce.bytes(),
                0,
                staleness);
    }
}
