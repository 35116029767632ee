package dev.equipoise.performance.simulation;

import dev.equipoise.performance.cost.CostModel;
import dev.equipoise.protocol.Topology.Algorithm;
import java.util.Arrays;

/** An all-reduce that takes all ranks as long, from when the last of them is ready. */
final class Together implements Exchange {

    /** Labs of thousands have links that are all alike. */
    private static final int ALL_PAIRS_UP_TO = 512;

    private final double seconds;
    private final double bytesOfAll;
    private double bytes;

    private Together(double seconds, double bytesOfAll) {
        this.seconds = seconds;
        this.bytesOfAll = bytesOfAll;
    }

    /** Every rank's frame goes round to all, on the slowest of the links. */
    static Together gathering(Scenario scenario) {
        int steps = scenario.replicas() - 1;
        double frame = scenario.traffic().frameBytes();
        return new Together(
                steps * (slowestLatency(scenario) + slowestByte(scenario) * frame),
                (double) steps * scenario.replicas() * frame);
    }

    /** By an algorithm, on the slowest of the links. */
    static Together summing(Scenario scenario, Algorithm algorithm) {
        int ranks = scenario.replicas();
        Traffic traffic = scenario.traffic();
        double shrunk =
                traffic.vectorBytes() == 0 ? 1 : traffic.frameBytes() / traffic.vectorBytes();
        var costs =
                new CostModel(
                        slowestLatency(scenario),
                        slowestByte(scenario) * shrunk,
                        traffic.addSecondsPerByte());
        return new Together(
                costs.seconds(algorithm, ranks, traffic.vectorBytes()),
                costs.bytes(algorithm, ranks, traffic.vectorBytes()) * shrunk);
    }

    private static double slowestLatency(Scenario scenario) {
        return slowest(scenario, scenario.links()::latency);
    }

    private static double slowestByte(Scenario scenario) {
        return slowest(
                scenario,
                (from, to) ->
                        scenario.links().secondsPerByte(from, to)
                                + scenario.links().heldSecondsPerByte(from, to));
    }

    /**
     * Of all pairs, as an algorithm other than the ring may use any; of many ranks, of neighbours.
     */
    private static double slowest(Scenario scenario, PairCost cost) {
        int ranks = scenario.replicas();
        int reach = ranks <= ALL_PAIRS_UP_TO ? ranks : 2;
        double slowest = 0;
        for (int rank = 0; rank < ranks; rank++) {
            for (int distance = 1; distance < reach; distance++) {
                slowest = Math.max(slowest, cost.of(rank, (rank + distance) % ranks));
            }
        }
        return slowest;
    }

    /** What a link costs, between two ranks. */
    @FunctionalInterface
    private interface PairCost {
        double of(int from, int to);
    }

    @Override
    public void play(double[] ready, double[] needed) {
        double last = Arrays.stream(ready).max().orElseThrow();
        Arrays.fill(needed, last);
        Arrays.fill(ready, last + seconds);
        bytes += bytesOfAll;
    }

    @Override
    public double bytes() {
        return bytes;
    }
}
