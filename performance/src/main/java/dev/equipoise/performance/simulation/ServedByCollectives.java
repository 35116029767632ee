package dev.equipoise.performance.simulation;

import java.util.Arrays;
import java.util.List;

/**
 * Parameter server that gathers and broadcasts by collectives, layer by layer or the vector as a
 * whole (Zhu, Liu and Fang 2020; docs/algorithms.md, section 4.1). The server is one thread, and a
 * frame as large as a layer is sent only once its receiver has a buffer for it. So the server
 * gathers a layer when all ranks have the one before.
 */
final class ServedByCollectives implements Exchange {

    private final int replicas;
    private final List<Long> layers;
    private final double frameShare;
    private final double answerShare;
    private final Ports ports;
    private final Collective collective;
    private double serverReady;

    ServedByCollectives(Scenario scenario) {
        Traffic traffic = scenario.traffic();
        this.replicas = scenario.replicas();
        this.layers =
                scenario.serving().isLayered()
                        ? scenario.serving().layers()
                        : List.of(traffic.vectorBytes());
        this.frameShare = share(traffic.frameBytes(), traffic);
        this.answerShare = share(traffic.answerBytes(), traffic);
        this.ports = new Ports(scenario.links(), 1 + replicas);
        this.collective =
                Collective.of(scenario.serving().way(), ports, traffic.addSecondsPerByte());
    }

    private static double share(double bytes, Traffic traffic) {
        return traffic.vectorBytes() == 0 ? 1 : bytes / traffic.vectorBytes();
    }

    @Override
    public void play(double[] ready, double[] needed) {
        Arrays.fill(needed, Arrays.stream(ready).max().orElseThrow());
        double[] times = new double[1 + replicas];
        times[0] = serverReady;
        System.arraycopy(ready, 0, times, 1, replicas);
        for (int layer = 0; layer < layers.size(); layer++) {
            if (layer > 0) {
                Arrays.fill(times, Arrays.stream(times).max().orElseThrow());
            }
            double bytes = (double) layers.get(layer);
            collective.gather(times, frameShare * bytes, bytes);
            collective.broadcast(times, answerShare * bytes);
        }
        serverReady = times[0];
        System.arraycopy(times, 1, ready, 0, replicas);
    }

    @Override
    public double bytes() {
        return ports.bytes();
    }

    @Override
    public double serverBusy() {
        return ports.busy(0);
    }
}
