package dev.equipoise.app.configuration;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.Objects;

/**
 * The scheduling of a run: whether it may be stopped, and how it continues.
 *
 * @param preemption whether the run may be preempted; never in configurations stored before this
 *     field
 * @param checkpoint when checkpoints are stored; none in configurations stored before this field
 * @param restarts the maximum number of restarts in a row without progress; 0 in configurations
 *     stored before this field
 */
public record Scheduling(Preemption preemption, Checkpoint checkpoint, Integer restarts) {

    /** Runs are neither preempted nor restarted, and store no checkpoints. */
    public static final Scheduling UNINTERRUPTED =
            new Scheduling(Preemption.NEVER, new Checkpoint(0, 1), 0);

    public Scheduling {
        preemption = Objects.requireNonNullElse(preemption, Preemption.NEVER);
        checkpoint = Objects.requireNonNullElse(checkpoint, new Checkpoint(0, 1));
        restarts = Objects.requireNonNullElse(restarts, 0);
    }

    /**
     * The schedule of checkpoints.
     *
     * @param every epochs between two checkpoints; 0 for none
     * @param keep the number of newest checkpoints that are kept
     */
    @Schema(name = "RunConfiguration.Checkpoint")
    public record Checkpoint(int every, int keep) {

        /** Tells whether a checkpoint is stored after an epoch. */
        public boolean isDueAfter(int epoch) {
            return every > 0 && epoch % every == 0;
        }

        /**
         * Returns the last epoch of which no part arrives any more. A rank begins to store a due
         * part before it trains on, and has stored the part before by then.
         *
         * @param reported the last epoch that all ranks have reported
         */
        public int lastSettled(int reported) {
            int passed = reported - 1;
            int lastDue = every > 0 ? passed / every * every : 0;
            return lastDue > 0 ? lastDue - 1 : passed;
        }
    }

    Scheduling with(Checkpoint other) {
        return new Scheduling(preemption, other, restarts);
    }
}
