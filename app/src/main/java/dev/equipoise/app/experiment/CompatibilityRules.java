package dev.equipoise.app.experiment;

import dev.equipoise.app.configuration.RunConfiguration;

/**
 * Checks which choices of a configuration can be combined (docs/methods.md has the whole table).
 * Each violation points to the field that must change.
 */
final class CompatibilityRules {

    private CompatibilityRules() {}

    /** Reports each impossible combination with its reason. */
    static void check(RunConfiguration configuration, JsonFieldReader root) {
        var context = new ValidationContext(configuration, root);
        LinkOrderChecks.check(context);
        new PartitioningChecks(context).check();
        new HybridChecks(context).check();
        new SynchronizationChecks(context).check();
        new TopologyChecks(context).check();
        new CompressionChecks(context).check();
        new ExecutionChecks(context).check();
        checkResuming(context);
        checkElasticity(context);
    }

    private static void checkResuming(ValidationContext context) {
        RunConfiguration configuration = context.configuration();
        for (String obstacle : ResumabilityRules.obstacles(configuration)) {
            context.require(
                    !configuration.isPreemptible(),
                    "preemption",
                    "must be never for a run " + obstacle);
            context.require(
                    configuration.scheduling().checkpoint().every() == 0,
                    "checkpoint/every",
                    "must be 0 for a run " + obstacle);
        }
    }

    private static void checkElasticity(ValidationContext context) {
        RunConfiguration configuration = context.configuration();
        for (String obstacle : ElasticityRules.obstacles(configuration)) {
            context.require(
                    !configuration.isElastic(),
                    "workers/minimum",
                    "must be the number of replicas for a run " + obstacle);
        }
    }
}
