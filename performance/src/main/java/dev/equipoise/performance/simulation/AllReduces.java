package dev.equipoise.performance.simulation;

import dev.equipoise.protocol.Topology.Algorithm;

/** Sums over all replicas, as the algorithms of the agents make them. */
final class AllReduces {

    /** Up to so many ranks every step of every rank is played; beyond them, one step for all. */
    static final int MOST_EXACT = 512;

    private AllReduces() {}

    /** Frames that cannot be summed on their way go round to all, whatever the algorithm. */
    static Exchange of(Algorithm algorithm, Scenario scenario) {
        return scenario.method().compression().isLinear()
                ? summing(algorithm, scenario)
                : gathering(scenario);
    }

    /** Of vectors as they are. */
    static Exchange plain(Algorithm algorithm, Scenario scenario) {
        return summing(algorithm, scenario.uncompressed());
    }

    private static Exchange gathering(Scenario scenario) {
        return scenario.replicas() <= MOST_EXACT
                ? Ring.gathering(scenario)
                : Together.gathering(scenario);
    }

    private static Exchange summing(Algorithm algorithm, Scenario scenario) {
        return switch (algorithm) {
            case RING ->
                    scenario.replicas() <= MOST_EXACT
                            ? Ring.summing(scenario)
                            : Together.summing(scenario, Algorithm.RING);
            case FLAT -> new Flat(scenario);
            case RECURSIVE_DOUBLING, HALVING_DOUBLING, TREE, HIERARCHICAL, AUTO ->
                    Together.summing(scenario, algorithm);
        };
    }
}
