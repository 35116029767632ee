package dev.equipoise.app.experiment;

import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.Partitioning;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;

/** How an epoch is cut: what that wants of all else. */
final class PartitioningChecks {

    private final Choices choices;
    private final RunConfiguration configuration;

    PartitioningChecks(Choices choices) {
        this.choices = choices;
        this.configuration = choices.configuration();
    }

    void check() {
        if (configuration.partitioning() instanceof Partitioning.Dynamic) {
            checkDynamic();
        }
        choices.require(
                !isPartial() || configuration.execution() instanceof Execution.Real,
                "partitioning/points",
                "must be full in a run on one worker, which is not measured at every rank's share");
    }

    private boolean isPartial() {
        return configuration.partitioning() instanceof Partitioning.Functional functional
                && functional.points() == Partitioning.Extent.PARTIAL;
    }

    private void checkDynamic() {
        choices.require(
                configuration.training().epochs() > 1,
                "partitioning",
                "must not be dynamic in a run of one epoch, after which nothing is left to share");
        choices.require(
                weighsByRound(configuration.synchronization())
                        && !(configuration.topology() instanceof Topology.Gossip),
                "partitioning",
                "must not be dynamic with this method, which weighs replicas by their shares of the"
                        + " whole run");
        choices.require(
                !configuration.record(),
                "record",
                "must be false with dynamic shares, which follow times that no replay repeats");
    }

    private static boolean weighsByRound(Synchronization synchronization) {
        return switch (synchronization) {
            case Synchronization.Bsp _, Synchronization.LocalSgd _, Synchronization.DiLoCo _ ->
                    true;
            case Synchronization.Async _,
                    Synchronization.StaleSynchronous _,
                    Synchronization.AdPsgd _ ->
                    false;
        };
    }
}
