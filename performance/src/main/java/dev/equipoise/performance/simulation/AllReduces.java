package dev.equipoise.performance.simulation;

import dev.equipoise.protocol.Topology.Algorithm;

/** Sums over all replicas, as the algorithms of the agents make them. */
final class AllReduces {

    /** Up to so many ranks every step of every rank is played; beyond them, one step for all. */
    static final int MOST_EXACT = 512;

    private AllReduces() {}

    static Exchange of(Algorithm algorithm, Scenario scenario) {
        return switch (algorithm) {
            case RING ->
                    scenario.replicas() <= MOST_EXACT
                            ? new Ring(scenario)
                            : new Together(scenario, Algorithm.RING);
            case RECURSIVE_DOUBLING, HALVING_DOUBLING, TREE, FLAT, HIERARCHICAL, AUTO ->
                    new Together(scenario, algorithm);
        };
    }
}
