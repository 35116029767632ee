package dev.equipoise.app.run;

import dev.equipoise.app.telemetry.EpochStore;
import dev.equipoise.app.telemetry.MetricStore;
import dev.equipoise.app.telemetry.OrderStore;
import dev.equipoise.app.telemetry.RankEpoch;
import dev.equipoise.app.telemetry.RunFigures;
import dev.equipoise.app.telemetry.TraceStore;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.Position;
import java.util.List;
import org.springframework.stereotype.Component;

/**
 * Keeps what the ranks of a run have reported of its epochs, and takes back what a generation
 * trains again. Callers must hold the lock of the run.
 */
@Component
class RunHistory {

    private final RunRankRepository runRanks;
    private final EpochStore epochs;
    private final MetricStore metrics;
    private final TraceStore traces;
    private final OrderStore orders;
    private final RunEvents runEvents;

    RunHistory(
            RunRankRepository runRanks,
            EpochStore epochs,
            MetricStore metrics,
            TraceStore traces,
            OrderStore orders,
            RunEvents runEvents) {
        this.runRanks = runRanks;
        this.epochs = epochs;
        this.metrics = metrics;
        this.traces = traces;
        this.orders = orders;
        this.runEvents = runEvents;
    }

    /** Stores an epoch of one rank; the last report of an epoch updates the figures of the run. */
    void keep(Run run, EpochFinished finished) {
        epochs.keep(run.id(), run.generation(), run.ranks(), finished);
        if (epochs.reportsOf(run.id(), finished.epoch()) == run.ranks()) {
            run.measure(figures(run));
            List<RankEpoch> results = epochs.of(run.id(), finished.epoch());
            appendEpoch(run, results);
            noteDifferences(run, finished.epoch(), results);
        }
    }

    /** Notes replicas that differ though the method keeps them equal. */
    private void noteDifferences(Run run, int epoch, List<RankEpoch> results) {
        if (run.configuration().endsEpochsWithEqualReplicas() && !areEqual(run, results)) {
            ReplicaDifferences.afterEpoch(
                            withWeights(run, results),
                            withWeights(run, epochs.of(run.id(), epoch - 1)),
                            runRanks.findByKeyRunIdOrderByKeyRank(run.id()))
                    .ifPresent(it -> runEvents.note(run.id(), it));
        }
    }

    private static boolean areEqual(Run run, List<RankEpoch> results) {
        return withWeights(run, results).stream()
                        .map(it -> it.figures().parameters())
                        .distinct()
                        .count()
                <= 1;
    }

    private static List<RankEpoch> withWeights(Run run, List<RankEpoch> results) {
        int first = run.configuration().method().ranksWithoutWeights();
        return results.stream().filter(it -> it.rank() >= first).toList();
    }

    /** Returns how many epochs a rank has reported since the last placement. */
    long reportedEpochs(Run run, RunRank runRank) {
        return epochs.reportedAfter(run.id(), runRank.rank(), run.epochsBefore());
    }

    /**
     * Whether an epoch is fully reported; ranks that carried on without a lost one need no report
     * of it.
     *
     * @param left remaining ranks
     */
    boolean isReported(Run run, int epoch, List<Integer> left) {
        return epochs.isWhole(run.id(), epoch)
                || (run.configuration().toleratesLosses()
                        && epochs.of(run.id(), epoch).stream()
                                .map(RankEpoch::rank)
                                .toList()
                                .containsAll(left));
    }

    /** Closes past epochs whose reports are incomplete because ranks were lost. */
    void closeEpochs(Run run) {
        List<Integer> open = epochs.incomplete(run.id());
        for (int epoch : open) {
            epochs.close(run.id(), epoch);
            runEvents.note(
                    run.id(), "closes epoch %d without the figures of lost ranks".formatted(epoch));
            appendEpoch(run, epochs.of(run.id(), epoch));
        }
        if (!open.isEmpty()) {
            run.measure(figures(run));
        }
    }

    private void appendEpoch(Run run, List<RankEpoch> results) {
        runEvents.append(run.id(), RunEvent.Epoch.of(run.rounds(), results));
    }

    /** Goes back to the end of an epoch; 0 for the beginning. */
    void rewindTo(Run run, int epoch) {
        deleteAfter(run, epoch, (long) epoch * run.rounds());
        run.measure(epoch == 0 ? null : figures(run));
    }

    /** Goes back to a position: its epoch is trained to its end, and earlier ones are closed. */
    void rewindTo(Run run, Position from) {
        deleteAfter(run, from.epoch() - 1, from.step(run.rounds()));
        closeEpochs(run);
    }

    private void deleteAfter(Run run, int epoch, long step) {
        epochs.deleteAfter(run.id(), epoch);
        traces.deleteAfter(run.id(), epoch);
        orders.deleteAfter(run.id(), epoch);
        metrics.rewind(run.id(), step);
    }

    private RunFigures figures(Run run) {
        int servers = run.configuration().topology().servers();
        return RunFigures.of(epochs.whole(run.id(), servers));
    }
}
