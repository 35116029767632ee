package dev.equipoise.performance.simulation;

import dev.equipoise.performance.cost.CostModel;
import dev.equipoise.protocol.Topology.Algorithm;
import java.util.Arrays;

/** An all-reduce that takes all ranks as long, from when the last of them is ready. */
final class Together implements Exchange {

    private final double seconds;
    private final double bytesOfAll;
    private double bytes;

    /** On the slowest of the links. */
    Together(Scenario scenario, Algorithm algorithm) {
        int ranks = scenario.replicas();
        Traffic traffic = scenario.traffic();
        double shrunk =
                traffic.vectorBytes() == 0 ? 1 : traffic.frameBytes() / traffic.vectorBytes();
        var costs =
                new CostModel(
                        slowestLatency(scenario),
                        slowestByte(scenario) * shrunk,
                        traffic.addSecondsPerByte());
        this.seconds = costs.seconds(algorithm, ranks, traffic.vectorBytes());
        this.bytesOfAll = costs.bytes(algorithm, ranks, traffic.vectorBytes()) * shrunk;
    }

    private static double slowestLatency(Scenario scenario) {
        double slowest = 0;
        for (int rank = 0; rank < scenario.replicas(); rank++) {
            int right = (rank + 1) % scenario.replicas();
            slowest = Math.max(slowest, scenario.links().latency(rank, right));
        }
        return slowest;
    }

    private static double slowestByte(Scenario scenario) {
        double slowest = 0;
        for (int rank = 0; rank < scenario.replicas(); rank++) {
            int right = (rank + 1) % scenario.replicas();
            slowest = Math.max(slowest, scenario.links().secondsPerByte(rank, right));
        }
        return slowest;
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
