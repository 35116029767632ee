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
        new PreemptionChecks(choices).check();
    }
}
