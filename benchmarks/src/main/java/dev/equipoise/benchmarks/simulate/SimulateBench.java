package dev.equipoise.benchmarks.simulate;

import dev.equipoise.benchmarks.Medians;
import dev.equipoise.performance.simulation.Links;
import dev.equipoise.performance.simulation.Noise;
import dev.equipoise.performance.simulation.Scenario;
import dev.equipoise.performance.simulation.Simulator;
import dev.equipoise.performance.simulation.Timing;
import dev.equipoise.performance.simulation.Traffic;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.StalenessCorrection;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Command {@code ./equipoise bench simulate}. */
@Command(
        name = "simulate",
        mixinStandardHelpOptions = true,
        description =
                "Times the simulator: 1,000 rounds of 512 workers around a step-by-step ring, of"
                        + " 10,000 around a ring in closed form, and of 512 at servers and in"
                        + " gossip. Exits with 1 if a bound is missed.")
public final class SimulateBench implements Callable<Integer> {

    private static final int ROUNDS = 1000;
    private static final int MEASUREMENTS = 3;
    private static final double NANOS = 1e9;
    private static final double NO_BOUND = Double.POSITIVE_INFINITY;

    /** Traffic of a network with a million parameters. */
    private static final Traffic TRAFFIC = Traffic.of(4_000_000);

    private static final Links LINKS = Links.uniform(50e-6, 1e-9);

    private record Case(String label, Method method, int workers, double mostSeconds) {}

    private static final List<Case> CASES =
            List.of(
                    new Case("ring, every step", of(ring()), 512, 5),
                    new Case("ring, closed form", of(ring()), 10_000, 1),
                    new Case("one server", of(server()), 512, NO_BOUND),
                    new Case("one server, on arrival", onArrival(), 512, NO_BOUND),
                    new Case("gossip", of(gossip()), 512, NO_BOUND));

    private static Method of(Topology topology) {
        return new Method(new Synchronization.Bsp(), topology, new Compression.None());
    }

    private static Topology ring() {
        return Topology.AllReduce.by(Topology.Algorithm.RING);
    }

    private static Topology server() {
        return new Topology.ParameterServer(1, false, Topology.Aggregate.MEAN);
    }

    private static Topology gossip() {
        return new Topology.Gossip(
                new Topology.Partners.Linear(false),
                Topology.Payload.WEIGHTS,
                Topology.Mixing.UNIFORM,
                0);
    }

    private static Method onArrival() {
        return new Method(
                new Synchronization.Async(
                        null, Synchronization.Weighting.WEIGHTED, new StalenessCorrection.None()),
                server(),
                new Compression.None());
    }

    @Override
    public Integer call() {
        boolean reached = true;
        for (Case each : CASES) {
            reached &= keepsBound(each);
        }
        return reached ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private static boolean keepsBound(Case each) {
        Timing timing = Simulator.run(scenario(each), 1);
        double seconds =
                Medians.of(IntStream.range(0, MEASUREMENTS).mapToObj(_ -> seconds(each)).toList());
        boolean reached = seconds < each.mostSeconds();
        System.out.printf(
                Locale.ROOT,
                "%-23s %6d workers x %d rounds  %.3f s  simulated time %6.1f s  %s%n",
                each.label(),
                each.workers(),
                ROUNDS,
                seconds,
                timing.seconds(),
                Double.isInfinite(each.mostSeconds()) ? "" : reached ? "reached" : "MISSED");
        return reached;
    }

    private static double seconds(Case each) {
        long begun = System.nanoTime();
        Simulator.run(scenario(each), 1);
        return (System.nanoTime() - begun) / NANOS;
    }

    private static Scenario scenario(Case each) {
        return new Scenario(
                each.method(),
                ROUNDS,
                Collections.nCopies(each.workers(), 0.1),
                Collections.nCopies(each.workers(), 1),
                Noise.of(0.1),
                LINKS,
                TRAFFIC);
    }
}
