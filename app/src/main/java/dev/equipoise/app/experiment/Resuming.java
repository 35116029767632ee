package dev.equipoise.app.experiment;

import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.Partitioning;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Synchronization.LocalSgd;
import java.util.ArrayList;
import java.util.List;

/** What keeps a run from leaving checkpoints, and from being stopped and going on elsewhere. */
final class Resuming {

    private Resuming() {}

    /**
     * In words that follow "a run"; none where it can. Whatever its ranks remember from epoch to
     * epoch is in a checkpoint, each in its own part.
     */
    static List<String> obstacles(RunConfiguration configuration) {
        List<String> found = new ArrayList<>();
        noteInCommon(found, configuration);
        note(
                found,
                !(configuration.compression() instanceof Compression.SampledRows)
                        || endsWithAgreement(configuration),
                "whose sampled rows are told every so many rounds, but not after the last of an"
                        + " epoch: words that were not told yet are in no checkpoint");
        return found;
    }

    private static boolean endsWithAgreement(RunConfiguration configuration) {
        return switch (configuration.synchronization()) {
            case LocalSgd local -> configuration.rounds() % local.period() == 0;
            case Synchronization.DiLoCo outer -> configuration.rounds() % outer.period() == 0;
            case Synchronization.Bsp _,
                    Synchronization.Async _,
                    Synchronization.StaleSynchronous _,
                    Synchronization.AdPsgd _ ->
                    true;
        };
    }

    /** What keeps it from going on in another generation in any way. */
    static void noteInCommon(List<String> found, RunConfiguration configuration) {
        note(
                found,
                configuration.execution() instanceof Execution.Real,
                "whose execution is not real: one worker has it, and it goes by its own clock");
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
    }

    private static boolean isPartitioningKept(Partitioning partitioning) {
        return switch (partitioning) {
            case Partitioning.Equal _, Partitioning.Constant _, Partitioning.Functional _ -> true;
            case Partitioning.Dynamic _, Partitioning.BatchCounts _, Partitioning.Hybrid _ -> false;
        };
    }

    static void note(List<String> found, boolean kept, String of) {
        if (!kept) {
            found.add(of);
        }
    }
}
