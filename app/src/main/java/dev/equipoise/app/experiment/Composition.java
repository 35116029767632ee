package dev.equipoise.app.experiment;

/**
 * What of the choices goes together, by the mathematics (docs/methods.md has the whole table). Each
 * rule is noted where the field stands that would have to be another.
 */
final class Composition {

    private Composition() {}

    /** Notes every pair that is impossible, with the reason. */
    static void check(RunConfiguration configuration, Fields root) {
        var choices = new Choices(configuration, root);
        new PartitioningChecks(choices).check();
        new HybridChecks(choices).check();
        new SynchronizationChecks(choices).check();
        new TopologyChecks(choices).check();
        new CompressionChecks(choices).check();
        new ExecutionChecks(choices).check();
        checkResuming(choices);
        checkElasticity(choices);
    }

    private static void checkResuming(Choices choices) {
        RunConfiguration configuration = choices.configuration();
        for (String obstacle : Resuming.obstacles(configuration)) {
            choices.require(
                    !configuration.isPreemptible(),
                    "preemption",
                    "must be never for a run " + obstacle);
            choices.require(
                    configuration.checkpoint().every() == 0,
                    "checkpoint/every",
                    "must be 0 for a run " + obstacle);
        }
    }

    private static void checkElasticity(Choices choices) {
        RunConfiguration configuration = choices.configuration();
        for (String obstacle : Elasticity.obstacles(configuration)) {
            choices.require(
                    !configuration.isElastic(),
                    "workers/minimum",
                    "must be the number of replicas for a run " + obstacle);
        }
    }
}
