package dev.equipoise.app.experiment;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.Partitioning;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;

/** Checks what the partitioning requires of the other choices. */
final class PartitioningChecks {

    private final ValidationContext context;
    private final RunConfiguration configuration;

    PartitioningChecks(ValidationContext context) {
        this.context = context;
        this.configuration = context.configuration();
    }

    void check() {
        if (configuration.partitioning() instanceof Partitioning.Dynamic) {
            checkDynamic();
        }
        if (configuration.partitioning() instanceof Partitioning.Functional functional) {
            checkKernel(functional);
        }
        context.require(
                !isPartial() || configuration.execution() instanceof Execution.Real,
                "partitioning/points",
                "must be full in a run on one worker, which is not measured at each rank's share");
    }

    private void checkKernel(Partitioning.Functional functional) {
        if (configuration.sharesByGemm()) {
            context.require(
                    functional.model() != Partitioning.Model.AKIMA,
                    "partitioning/model",
                    "must not be akima with the kernel gemm, which is measured at fewer than five"
                            + " sizes");
            context.require(
                    functional.points() == Partitioning.Extent.FULL,
                    "partitioning/points",
                    "must be full with the kernel gemm, which is measured in whole profiles only");
            context.require(
                    configuration.execution() instanceof Execution.Real,
                    "partitioning/kernel",
                    "must be training-step in a run on one worker, whose replicas have speeds of"
                            + " the training step only");
        }
    }

    private boolean isPartial() {
        return configuration.partitioning() instanceof Partitioning.Functional functional
                && functional.points() == Partitioning.Extent.PARTIAL;
    }

    private void checkDynamic() {
        context.require(
                configuration.training().epochs() > 1,
                "partitioning",
                "must not be dynamic in a run of one epoch, since shares change between epochs");
        context.require(
                weighsByRound(configuration.synchronization())
                        && !(configuration.topology() instanceof Topology.Gossip),
                "partitioning",
                "must not be dynamic with this method, which weights replicas by shares of the"
                        + " whole run");
        context.require(
                !configuration.instrumentation().record(),
                "record",
                "must be false with dynamic shares, which depend on measured times");
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
