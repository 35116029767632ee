package dev.equipoise.performance.simulation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Parameter servers in rounds: all replicas push to each server, which answers when it has all
 * parts (docs/algorithms.md, section 4.1).
 */
final class ServedInStep implements Exchange {

    private final int servers;
    private final int replicas;
    private final double frameBytes;
    private final double answerBytes;
    private final double applySeconds;
    private final Ports ports;
    private double bytes;

    ServedInStep(Scenario scenario) {
        this(scenario, ports(scenario));
    }

    /** Exchanges through ports that other exchanges of the same ranks use too. */
    ServedInStep(Scenario scenario, Ports ports) {
        this.servers = scenario.servers();
        this.replicas = scenario.replicas();
        this.frameBytes = scenario.traffic().frameBytes() / servers;
        this.answerBytes = scenario.traffic().answerBytes() / servers;
        this.applySeconds =
                scenario.traffic().addSecondsPerByte() * scenario.traffic().vectorBytes() / servers;
        this.ports = ports;
    }

    static Ports ports(Scenario scenario) {
        return new Ports(scenario.links(), scenario.servers() + scenario.replicas());
    }

    @Override
    public void play(double[] ready, double[] needed) {
        Arrays.fill(needed, Arrays.stream(ready).max().orElseThrow());
        List<Ports.Frame> pushed = new ArrayList<>();
        for (int server = 0; server < servers; server++) {
            for (int replica = 0; replica < replicas; replica++) {
                pushed.add(ports.send(servers + replica, server, ready[replica], frameBytes));
            }
        }
        ports.receive(pushed);
        double[] answered = new double[servers];
        for (Ports.Frame frame : pushed) {
            answered[frame.to] = Math.max(answered[frame.to], frame.arrived() + applySeconds);
        }
        List<Ports.Frame> answers = new ArrayList<>();
        for (int replica = 0; replica < replicas; replica++) {
            for (int server = 0; server < servers; server++) {
                answers.add(ports.send(server, servers + replica, answered[server], answerBytes));
            }
        }
        ports.receive(answers);
        for (Ports.Frame frame : answers) {
            int replica = frame.to - servers;
            ready[replica] = Math.max(ready[replica], frame.arrived());
        }
        bytes += replicas * servers * (frameBytes + answerBytes);
    }

    @Override
    public double bytes() {
        return bytes;
    }

    @Override
    public double serverBusy() {
        double busiest = 0;
        for (int server = 0; server < servers; server++) {
            busiest = Math.max(busiest, ports.busy(server));
        }
        return busiest;
    }
}
