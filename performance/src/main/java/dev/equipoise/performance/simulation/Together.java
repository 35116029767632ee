package dev.equipoise.performance.simulation;

import dev.equipoise.performance.cost.CostModel;
import dev.equipoise.protocol.Topology.Algorithm;
import java.util.Arrays;

/** An all-reduce that takes all ranks as long, from when the last of them is ready. */
final class Together implements Exchange {

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
            slowest =
                    Math.max(
                            slowest,
                            scenario.links().secondsPerByte(rank, right)
                                    + scenario.links().heldSecondsPerByte(rank, right));
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
