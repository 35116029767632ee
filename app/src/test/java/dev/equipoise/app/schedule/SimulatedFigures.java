package dev.equipoise.app.schedule;

import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.ReplicaDistance;
import dev.equipoise.protocol.RunPhases;
import dev.equipoise.protocol.RunReport;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reports of a simulated rank, with invented figures. */
final class SimulatedFigures {

    private SimulatedFigures() {}

    /** Returns the loss of one step. */
    static AgentEvent loss(Assignment.Training part, long step) {
        return new RunReport.Observed(
                part.rank(),
                RunReport.Observed.TRAINING_LOSS,
                1,
                List.of(step),
                List.of((double) step),
                List.of(1.0 / step),
                0);
    }

    /** Returns the times of a rank that has trained some epochs. */
    static AgentEvent phases(Assignment.Training part, int epochs) {
        return new RunReport.PhasesElapsed(part.rank(), epochs, RunPhases.ofTraining(epochs));
    }

    /**
     * Returns the reports at the end of an epoch, with trace and record if the plan asks for it.
     *
     * @param difference distance from the first replica; null if both are equal
     */
    static List<AgentEvent> ofEpoch(
            Assignment.Training part,
            int epoch,
            String weights,
            @Nullable ReplicaDistance difference) {
        List<AgentEvent> reports = new ArrayList<>();
        if (part.plan().observation().trace()) {
            reports.add(trace(part.rank(), epoch));
        }
        if (part.plan().observation().record()) {
            reports.add(
                    new RunReport.Decided(
                            part.rank(), epoch, RunReport.Strand.MAIN, List.of(epoch)));
        }
        reports.add(phases(part, epoch));
        reports.add(finished(part, epoch, weights, difference));
        return reports;
    }

    private static AgentEvent trace(int rank, int epoch) {
        return new RunReport.Traced(
                rank,
                epoch,
                RunReport.Strand.MAIN,
                List.of(RunReport.Phase.COMPUTE),
                List.of((long) epoch),
                List.of(1L),
                0);
    }

    private static AgentEvent finished(
            Assignment.Training part,
            int epoch,
            String weights,
            @Nullable ReplicaDistance difference) {
        return new EpochFinished(
                part.rank(),
                epoch,
                part.plan().division().shares().get(part.rank()),
                new EpochFinished.Phases(1, 0, 0.25, 0.5, 0, 0),
                1.75,
                new EpochFinished.Traffic(1000, 0, 0, 1),
                updates(part),
                0.5,
                new EpochFinished.TestScore(0.9, 0.4),
                null,
                null,
                weights,
                difference);
    }

    /** Returns a step for each round; replicas of servers have one gradient with a staleness. */
    private static EpochFinished.WeightUpdates updates(Assignment.Training part) {
        long rounds = part.plan().division().rounds();
        int servers = part.plan().method().topology().servers();
        boolean hasStaleness = servers > 0 && part.rank() >= servers;
        return hasStaleness
                ? new EpochFinished.WeightUpdates(rounds, 0.1, List.of(rounds - 1, 1L), 1)
                : new EpochFinished.WeightUpdates(rounds, 0.1, List.of(), 0);
    }
}
