package dev.equipoise.app.experiment;

import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.Partitioning;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Synchronization.LocalSgd;
import dev.equipoise.protocol.Synchronization.Momentum;
import dev.equipoise.protocol.Synchronization.Order;
import dev.equipoise.protocol.Topology;

/**
 * What a run may be that is stopped after an epoch and goes on later, exactly: one whose replicas
 * are equal after an epoch, and which remembers no more than weights and its optimizer does.
 */
final class PreemptionChecks {

    private final Choices choices;
    private final RunConfiguration configuration;

    PreemptionChecks(Choices choices) {
        this.choices = choices;
        this.configuration = choices.configuration();
    }

    void check() {
        if (!configuration.isPreemptible()) {
            return;
        }
        require(
                configuration.execution() instanceof Execution.Real,
                "whose execution is not real: one worker has it, and it goes by its own clock");
        require(
                configuration.topology() instanceof Topology.AllReduce,
                "that is not over an all-reduce: its state is not the same on every rank");
        require(
                configuration.compression() instanceof Compression.None,
                "that is compressed: what its codecs remember is in no checkpoint");
        require(
                isPartitioningKept(configuration.partitioning()),
                "whose partitioning is not equal, constant or functional: its shares follow what"
                        + " came before, or belong to its workers");
        require(
                !configuration.trace(),
                "that is traced: slices are on the clock of the workers that it has");
        require(!configuration.record(), "that is recorded: a record is of one piece");
        checkSynchronization();
    }

    private static boolean isPartitioningKept(Partitioning partitioning) {
        return switch (partitioning) {
            case Partitioning.Equal _, Partitioning.Constant _, Partitioning.Functional _ -> true;
            case Partitioning.Dynamic _, Partitioning.BatchCounts _, Partitioning.Hybrid _ -> false;
        };
    }

    private void checkSynchronization() {
        switch (configuration.synchronization()) {
            case Synchronization.Bsp _ -> {}
            case LocalSgd local -> checkLocalSgd(local);
            case Synchronization.DiLoCo _,
                    Synchronization.Async _,
                    Synchronization.StaleSynchronous _,
                    Synchronization.AdPsgd _ ->
                    require(
                            false,
                            "whose synchronization is neither bsp nor local-sgd: it remembers more"
                                    + " than a checkpoint holds");
        }
    }

    private void checkLocalSgd(LocalSgd local) {
        require(
                local.order() == Order.STEP_THEN_AVERAGE,
                "that averages before it steps: its replicas differ after every epoch");
        int rounds = configuration.rounds();
        require(
                rounds % local.period() == 0,
                "whose period, %d, does not divide the %d rounds of an epoch: its replicas differ after it"
                        .formatted(local.period(), rounds));
        require(
                local.momentum() != Momentum.LOCAL || !remembers(configuration),
                "whose optimizers remember something of their own; momentum average or reset ends"
                        + " an epoch with the same");
    }

    private static boolean remembers(RunConfiguration configuration) {
        return !(configuration.training().optimizer() instanceof OptimizerSpec.Sgd sgd
                && sgd.momentum() == 0);
    }

    private void require(boolean kept, String of) {
        choices.require(kept, "preemption", "must be never for a run " + of);
    }
}
