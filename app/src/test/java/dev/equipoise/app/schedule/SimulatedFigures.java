package dev.equipoise.app.schedule;

import dev.equipoise.app.TestingEpochs;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.RunPhases;
import dev.equipoise.protocol.RunReport;
import java.util.ArrayList;
import java.util.List;

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

    /** Returns the reports at the end of an epoch, with trace and record if the plan asks for it. */
    static List<AgentEvent> ofEpoch(Assignment.Training part, int epoch, String weights) {
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
        reports.add(finished(part, epoch, weights));
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

    private static AgentEvent finished(Assignment.Training part, int epoch, String weights) {
        return TestingEpochs.ofRank(
                part.rank(),
                TestingEpochs.epoch(
                        epoch,
                        part.plan().division().shares().get(part.rank()),
                        1,
                        0.25,
                        0.5,
                        1.75,
                        1000,
                        0.5,
                        new EpochFinished.TestScore(0.9, 0.4),
                        weights));
    }
}
