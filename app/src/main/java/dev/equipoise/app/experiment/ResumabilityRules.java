package dev.equipoise.app.experiment;

import dev.equipoise.app.configuration.Instrumentation;
import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Synchronization.LocalSgd;
import java.util.ArrayList;
import java.util.List;

/** Lists the reasons why a run cannot store checkpoints or be stopped and continued elsewhere. */
final class ResumabilityRules {

    private ResumabilityRules() {}

    /**
     * Returns phrases that follow "a run"; empty if the run is resumable. A checkpoint contains all
     * rank state, in a part for each rank.
     */
    static List<String> obstacles(RunConfiguration configuration) {
        List<String> found = new ArrayList<>();
        reportCommon(found, configuration);
        report(
                found,
                !(configuration.compression() instanceof Compression.SampledRows)
                        || endsWithSynchronization(configuration),
                "whose sampled rows are exchanged in some rounds, but not in the last of an"
                        + " epoch: checkpoints lack the rows touched since the last exchange");
        return found;
    }

    private static boolean endsWithSynchronization(RunConfiguration configuration) {
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

    /** Reports the reasons why a run cannot continue in another generation at all. */
    static void reportCommon(List<String> found, RunConfiguration configuration) {
        report(
                found,
                configuration.execution() instanceof Execution.Real,
                "whose execution is not real: it is on one worker with a clock of its own");
        reportInstrumentation(found, configuration.instrumentation());
    }

    private static void reportInstrumentation(List<String> found, Instrumentation instrumentation) {
        report(
                found,
                !instrumentation.trace(),
                "that is traced: time slices use the clocks of its workers");
        report(
                found,
                !instrumentation.record(),
                "that is recorded: a record covers one uninterrupted run");
    }

    static void report(List<String> found, boolean holds, String obstacle) {
        if (!holds) {
            found.add(obstacle);
        }
    }
}
