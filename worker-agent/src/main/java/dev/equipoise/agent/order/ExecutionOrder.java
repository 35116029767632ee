package dev.equipoise.agent.order;

import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.RunReport.Strand;
import dev.equipoise.protocol.TrainingPlan;
import java.util.function.Consumer;

/**
 * The execution order of one rank: the choices of its two threads, epoch by epoch. The rank's main
 * thread uses it.
 */
public interface ExecutionOrder {

    /** Free choices that are not recorded. */
    ExecutionOrder FREE =
            new ExecutionOrder() {
                @Override
                public ChoiceSource of(Strand strand) {
                    return ChoiceSource.FREE;
                }

                @Override
                public void end(int epoch, Consumer<RunReport> listener) {}
            };

    /** Returns free choices, recorded if the plan requests it. */
    static ExecutionOrder of(TrainingPlan plan, int rank) {
        return plan.observation().record() ? new Recording(plan, rank) : FREE;
    }

    /** Returns the choice source of a thread; each call returns the same object. */
    ChoiceSource of(Strand strand);

    /**
     * Ends an epoch; no background task may be running.
     *
     * @param listener receives the events with the recorded choices
     * @throws ReplayDivergence if the epoch differs from the recorded one
     */
    void end(int epoch, Consumer<RunReport> listener);
}
