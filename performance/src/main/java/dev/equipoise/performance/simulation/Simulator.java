package dev.equipoise.performance.simulation;

import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;

/**
 * Discrete-event simulator of a scenario (docs/algorithms.md, section 9.3). The same seed gives the
 * same times, for every method.
 */
public final class Simulator {

    private Simulator() {}

    /**
     * Simulates all rounds of all replicas.
     *
     * @throws IllegalArgumentException if the method's synchronization cannot run over its topology
     */
    public static Timing run(Scenario scenario, long seed) {
        var computing = new Computing(scenario, seed);
        return switch (scenario.method().synchronization()) {
            case Synchronization.Bsp _ ->
                    scenario.buckets().isEmpty()
                            ? lockstep(scenario, 1, computing, seed)
                            : new BucketRounds(scenario, computing).play();
            case Synchronization.LocalSgd local ->
                    lockstep(scenario, local.period(), computing, seed);
            case Synchronization.DiLoCo outer ->
                    lockstep(scenario, outer.period(), computing, seed);
            case Synchronization.StaleSynchronous _ ->
                    new ServedOnArrival(scenario, computing).play();
            case Synchronization.Async async -> asynchronous(scenario, async, computing);
            case Synchronization.AdPsgd _ -> new PairwiseGossip(scenario, computing).play();
        };
    }

    private static Timing asynchronous(
            Scenario scenario, Synchronization.Async async, Computing computing) {
        if (scenario.servers() > 0) {
            return new ServedOnArrival(scenario, computing).play();
        }
        return async.isQueued()
                ? new QueuedAllReduce(scenario, async, computing).play()
                : new OverlappedAllReduce(scenario, async, computing).play();
    }

    private static Timing lockstep(Scenario scenario, int period, Computing computing, long seed) {
        Exchange exchange =
                switch (scenario.method().topology()) {
                    case Topology.AllReduce all -> AllReduces.of(all.algorithm(), scenario);
                    case Topology.ParameterServer _ -> served(scenario);
                    case Topology.Gossip gossip -> new NeighborGossip(scenario, gossip, seed);
                };
        return new LockstepRounds(scenario, period, exchange, computing).play();
    }

    private static Exchange served(Scenario scenario) {
        return scenario.serving().equals(Serving.AT_ONCE)
                ? new ServedInStep(scenario)
                : new ServedByCollectives(scenario);
    }
}
