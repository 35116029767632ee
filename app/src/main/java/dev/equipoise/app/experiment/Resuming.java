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
import java.util.ArrayList;
import java.util.List;

/**
 * What keeps a run from being stopped, or from losing ranks, and going on exactly from there: it
 * can where its replicas are equal after an epoch, and remember no more than weights and what the
 * optimizer does.
 */
final class Resuming {

    private Resuming() {}

    /** In words that follow "a run"; none where it can. */
    static List<String> obstacles(RunConfiguration configuration) {
        List<String> found = new ArrayList<>();
        note(
                found,
                configuration.execution() instanceof Execution.Real,
                "whose execution is not real: one worker has it, and it goes by its own clock");
        note(
                found,
                configuration.topology() instanceof Topology.AllReduce,
                "that is not over an all-reduce: its state is not the same on every rank");
        note(
                found,
                configuration.compression() instanceof Compression.None,
                "that is compressed: what its codecs remember is in no checkpoint");
        note(
                found,
                isPartitioningKept(configuration.partitioning()),
                "whose partitioning is not equal, constant or functional: its shares follow what"
                        + " came before, or belong to its workers");
        note(
                found,
                !configuration.trace(),
                "that is traced: slices are on the clock of the workers that it has");
        note(found, !configuration.record(), "that is recorded: a record is of one piece");
        noteSynchronization(found, configuration);
        return found;
    }

    private static boolean isPartitioningKept(Partitioning partitioning) {
        return switch (partitioning) {
            case Partitioning.Equal _, Partitioning.Constant _, Partitioning.Functional _ -> true;
            case Partitioning.Dynamic _, Partitioning.BatchCounts _, Partitioning.Hybrid _ -> false;
        };
    }

    private static void noteSynchronization(List<String> found, RunConfiguration configuration) {
        switch (configuration.synchronization()) {
            case Synchronization.Bsp _ -> {}
            case LocalSgd local -> noteLocalSgd(found, local, configuration);
            case Synchronization.DiLoCo _,
                    Synchronization.Async _,
                    Synchronization.StaleSynchronous _,
                    Synchronization.AdPsgd _ ->
                    found.add(
                            "whose synchronization is neither bsp nor local-sgd: it remembers more"
                                    + " than a checkpoint holds");
        }
    }

    private static void noteLocalSgd(
            List<String> found, LocalSgd local, RunConfiguration configuration) {
        note(
                found,
                local.order() == Order.STEP_THEN_AVERAGE,
                "that averages before it steps: its replicas differ after every epoch");
        int rounds = configuration.rounds();
        note(
                found,
                rounds % local.period() == 0,
                "whose period, %d, does not divide the %d rounds of an epoch: its replicas differ after it"
                        .formatted(local.period(), rounds));
        note(
                found,
                local.momentum() != Momentum.LOCAL || !remembers(configuration),
                "whose optimizers remember something of their own; momentum average or reset ends"
                        + " an epoch with the same");
    }

    private static boolean remembers(RunConfiguration configuration) {
        return !(configuration.training().optimizer() instanceof OptimizerSpec.Sgd sgd
                && sgd.momentum() == 0);
    }

    private static void note(List<String> found, boolean kept, String of) {
        if (!kept) {
            found.add(of);
        }
    }
}
