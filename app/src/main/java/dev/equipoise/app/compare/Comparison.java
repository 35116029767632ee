package dev.equipoise.app.compare;

import dev.equipoise.app.run.RunView;
import dev.equipoise.protocol.Partitioning;
import dev.equipoise.protocol.RunId;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Runs laid side by side; the first is the baseline of the speed-ups.
 *
 * @param baseline the run that the others are measured against
 */
record Comparison(RunId baseline, List<ComparedRun> runs) {

    /**
     * One run.
     *
     * @param predictionError (predicted - measured) / measured epoch time
     * @param speedup the baseline's epoch time over this run's; as the error before it null where
     *     one of the two is not known, or is no time at all
     */
    record ComparedRun(
            RunId run,
            Partitioning partitioning,
            long seed,
            List<Integer> shares,
            @Nullable Double predictedEpochSeconds,
            @Nullable Double epochSeconds,
            @Nullable Double predictionError,
            @Nullable Double testAccuracy,
            @Nullable Double testLoss,
            @Nullable Boolean replicasIdentical,
            @Nullable Double speedup,
            List<ComparedRank> ranks) {}

    /** The figures of one rank, each the mean over its epochs. */
    record ComparedRank(
            int rank,
            String worker,
            int samples,
            double computeSeconds,
            double transferSeconds,
            double waitSeconds,
            long bytesSent) {}

    static Comparison of(List<RunView> runs) {
        RunView baseline = runs.getFirst();
        return new Comparison(
                baseline.id(), runs.stream().map(run -> compared(run, baseline)).toList());
    }

    private static ComparedRun compared(RunView run, RunView baseline) {
        Double predicted = run.prediction() == null ? null : run.prediction().epochSeconds();
        Double measured = run.epochSeconds();
        return new ComparedRun(
                run.id(),
                run.configuration().partitioning(),
                run.configuration().seed(),
                run.replicas().stream().map(RunView.ReplicaView::share).toList(),
                predicted,
                measured,
                predicted == null || measured == null
                        ? null
                        : ratio(predicted - measured, measured),
                run.testAccuracy(),
                run.testLoss(),
                run.replicasIdentical(),
                measured == null || baseline.epochSeconds() == null
                        ? null
                        : ratio(baseline.epochSeconds(), measured),
                run.replicas().stream().map(replica -> rank(run, replica)).toList());
    }

    private static ComparedRank rank(RunView run, RunView.ReplicaView replica) {
        List<RunView.RankView> epochs =
                run.epochs().stream().map(epoch -> epoch.ranks().get(replica.rank())).toList();
        return new ComparedRank(
                replica.rank(),
                replica.workerName(),
                replica.share(),
                mean(epochs, RunView.RankView::computeSeconds),
                mean(epochs, RunView.RankView::transferSeconds),
                mean(epochs, RunView.RankView::waitSeconds),
                Math.round(mean(epochs, RunView.RankView::bytesSent)));
    }

    /** JSON has no number for what a division by zero gives. */
    private static @Nullable Double ratio(double part, double whole) {
        return whole == 0 ? null : part / whole;
    }

    private static double mean(
            List<RunView.RankView> epochs, ToDoubleFunction<RunView.RankView> figure) {
        return epochs.stream().mapToDouble(figure).average().orElse(0);
    }
}
