package dev.equipoise.performance.simulation;

import dev.equipoise.protocol.Topology.Algorithm;

/** Selects the simulation of an all-reduce (docs/algorithms.md, section 9.3). */
final class AllReduces {

    /**
     * Most ranks for which every step of every rank is simulated. Beyond, one closed form covers
     * all ranks.
     */
    static final int MAX_EXACT = 512;

    private AllReduces() {}

    /**
     * Returns the all-reduce of a scenario. Frames of a codec that is not linear cannot be summed,
     * so that an all-gather replaces every algorithm.
     */
    static Exchange of(Algorithm algorithm, Scenario scenario) {
        return scenario.method().compression().isLinear()
                ? summing(algorithm, scenario)
                : gathering(scenario);
    }

    /** Returns the all-reduce of uncompressed vectors. */
    static Exchange plain(Algorithm algorithm, Scenario scenario) {
        return summing(algorithm, scenario.uncompressed());
    }

    private static Exchange gathering(Scenario scenario) {
        return scenario.replicas() <= MAX_EXACT
                ? Ring.gathering(scenario)
                : SynchronousAllReduce.gathering(scenario);
    }

    private static Exchange summing(Algorithm algorithm, Scenario scenario) {
        return switch (algorithm) {
            case RING ->
                    scenario.replicas() <= MAX_EXACT
                            ? Ring.summing(scenario)
                            : SynchronousAllReduce.summing(scenario, Algorithm.RING);
            case FLAT -> new Flat(scenario);
            case RECURSIVE_DOUBLING, HALVING_DOUBLING, TREE, HIERARCHICAL, AUTO ->
                    SynchronousAllReduce.summing(scenario, algorithm);
        };
    }
}
