package dev.equipoise.performance.simulation;

import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;

/** Plays a scenario. The same seed gives the same times, for every method. */
public final class Simulator {

    private Simulator() {}

    /**
     * Goes through all rounds of all replicas.
     *
     * @throws IllegalArgumentException for a method whose synchronisation does not go over its
     *     topology
     */
    public static Timing run(Scenario scenario, long seed) {
        var computing = new Computing(scenario, seed);
        return switch (scenario.method().synchronization()) {
            case Synchronization.Bsp _ -> inStep(scenario, 1, computing, seed);
            case Synchronization.LocalSgd local ->
                    inStep(scenario, local.period(), computing, seed);
            case Synchronization.DiLoCo outer -> inStep(scenario, outer.period(), computing, seed);
            case Synchronization.StaleSynchronous _ ->
                    new ServedOnArrival(scenario, computing).play();
            case Synchronization.Async async ->
                    scenario.servers() > 0
                            ? new ServedOnArrival(scenario, computing).play()
                            : new InBackground(scenario, async, computing).play();
            case Synchronization.AdPsgd _ -> new Pairs(scenario, computing).play();
        };
    }

    private static Timing inStep(Scenario scenario, int period, Computing computing, long seed) {
        Exchange exchange =
                switch (scenario.method().topology()) {
                    case Topology.AllReduce all -> AllReduces.of(all.algorithm(), scenario);
                    case Topology.ParameterServer _ -> served(scenario);
                    case Topology.Gossip gossip -> new Neighbours(scenario, gossip, seed);
                };
        return new InStep(scenario, period, exchange, computing).play();
    }

    private static Exchange served(Scenario scenario) {
        return scenario.serving().equals(Serving.AT_ONCE)
                ? new ServedInStep(scenario)
                : new ServedByCollectives(scenario);
    }
}
