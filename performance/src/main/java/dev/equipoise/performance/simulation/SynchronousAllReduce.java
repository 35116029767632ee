package dev.equipoise.performance.simulation;

import dev.equipoise.performance.cost.CostModel;
import dev.equipoise.protocol.Topology.Algorithm;
import java.util.Arrays;

/**
 * Simulates a synchronous all-reduce by a closed formula. It begins when the last rank is ready and
 * ends at the same time on all ranks.
 */
final class SynchronousAllReduce implements Exchange {

    /** Most ranks for which all pairs of links are compared; more ranks have uniform links. */
    private static final int ALL_PAIRS_UP_TO = 512;

    private final double seconds;
    private final double bytesOfAll;
    private double bytes;

    private SynchronousAllReduce(double seconds, double bytesOfAll) {
        this.seconds = seconds;
        this.bytesOfAll = bytesOfAll;
    }

    /** Creates an all-gather of one frame per rank, at the cost of the slowest link. */
    static SynchronousAllReduce gathering(Scenario scenario) {
        int steps = scenario.replicas() - 1;
        double frame = scenario.traffic().frameBytes();
        return new SynchronousAllReduce(
                steps * (slowestLatency(scenario) + slowestByte(scenario) * frame),
                (double) steps * scenario.replicas() * frame);
    }

    /** Creates an all-reduce, at the cost of the slowest link. */
    static SynchronousAllReduce summing(Scenario scenario, Algorithm algorithm) {
        int ranks = scenario.replicas();
        Traffic traffic = scenario.traffic();
        double shrunk =
                traffic.vectorBytes() == 0 ? 1 : traffic.frameBytes() / traffic.vectorBytes();
        var costs =
                new CostModel(
                        slowestLatency(scenario),
                        slowestByte(scenario) * shrunk,
                        traffic.addSecondsPerByte());
        return new SynchronousAllReduce(
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
     * Returns the cost of the slowest link: of all pairs, as algorithms other than the ring may use
     * any, or of neighbors if there are many ranks.
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

    /** Cost of the link between two ranks. */
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
