package dev.equipoise.app.schedule;

import dev.equipoise.app.allocation.MeasuredSpeeds;
import dev.equipoise.app.queue.QueuedRun;
import dev.equipoise.app.recovery.RunFailure;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.protocol.MeasuredAllReduce;
import dev.equipoise.protocol.MeasuredLink;
import java.util.List;

/** The decision of a scheduling pass on one queued run. */
sealed interface RunDecision {

    /**
     * Start the run.
     *
     * @param speeds the speeds of its ranks on their workers
     * @param costs costs of the links between the ranks, if the run follows links; else empty
     * @param allReduces measured all-reduces over the workers, for hybrid parallelism; else empty
     */
    record Start(
            QueuedRun run,
            MeasuredSpeeds speeds,
            List<MeasuredLink> costs,
            List<MeasuredAllReduce> allReduces)
            implements RunDecision {

        public Start {
            costs = List.copyOf(costs);
            allReduces = List.copyOf(allReduces);
        }
    }

    /** Choose the configuration of the run among those that fit the idle workers. */
    record Choose(QueuedRun run, List<LabWorker> idle) implements RunDecision {

        public Choose {
            idle = List.copyOf(idle);
        }
    }

    /** Fail the run. */
    record GiveUp(QueuedRun run, RunFailure failure) implements RunDecision {}

    /** Leave the run in the queue; the pass has its wait reason. */
    record Wait(QueuedRun run) implements RunDecision {}
}
