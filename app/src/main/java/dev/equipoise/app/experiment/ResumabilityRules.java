package dev.equipoise.app.experiment;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.protocol.Execution;
import java.util.ArrayList;
import java.util.List;

/** Lists the reasons why a run cannot store checkpoints or be stopped and continued elsewhere. */
final class ResumabilityRules {

    private ResumabilityRules() {}

    /**
     * Returns phrases that follow "a run"; empty if the run is resumable. A checkpoint contains all
     * rank state, in a part for each rank, whatever the method and the partitioning.
     */
    static List<String> obstacles(RunConfiguration configuration) {
        List<String> found = new ArrayList<>();
        report(
                found,
                configuration.execution() instanceof Execution.Real,
                "whose execution is not real: it is on one worker with a clock of its own");
        report(
                found,
                !configuration.instrumentation().trace(),
                "that is traced: time slices use the clocks of its workers");
        report(
                found,
                !configuration.instrumentation().record(),
                "that is recorded: a record covers one uninterrupted run");
        return found;
    }

    static void report(List<String> found, boolean holds, String obstacle) {
        if (!holds) {
            found.add(obstacle);
        }
    }
}
