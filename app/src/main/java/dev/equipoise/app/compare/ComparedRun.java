package dev.equipoise.app.compare;

import dev.equipoise.app.run.Prediction;
import dev.equipoise.app.run.RunState;
import dev.equipoise.app.run.RunView;
import dev.equipoise.protocol.Partitioning;
import dev.equipoise.protocol.RunId;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * One run of a comparison.
 *
 * @param label the fields in which it differs from the others, its seed left out
 * @param group number of its group, from 0
 * @param predictionError (predicted - measured) / measured epoch time
 * @param speedup the baseline's epoch time over this run's; as the error before it null where one
 *     of the two is not known, or is no time at all
 * @param ratios null where the run or the baseline is not completed
 * @param curve thinned where it has more points than a drawing needs
 */
record ComparedRun(
        RunId run,
        String label,
        int group,
        RunState state,
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
        Figures figures,
        @Nullable Ratios ratios,
        List<ComparedRank> ranks,
        List<Curve.Point> curve) {

    /** More would only be drawn over one another. */
    private static final int MOST_POINTS = 500;

    /** The figures of one rank, each the mean over its epochs. */
    record ComparedRank(
            int rank,
            String worker,
            int samples,
            double computeSeconds,
            double transferSeconds,
            double waitSeconds,
            long bytesSent) {}

    /** What the others are measured against. */
    record Baseline(RunView run, Figures figures) {

        @Nullable Ratios ratiosOf(RunView other, Figures own) {
            return run.state() == RunState.COMPLETED && other.state() == RunState.COMPLETED
                    ? Ratios.of(own, figures)
                    : null;
        }
    }

    static ComparedRun of(
            RunView run, String label, int group, Baseline baseline, @Nullable Double target) {
        Curve curve = Curve.of(run);
        Figures figures = Figures.of(run, curve, target);
        Double predicted =
                Optional.ofNullable(run.prediction()).map(Prediction::epochSeconds).orElse(null);
        Double measured = run.epochSeconds();
        return new ComparedRun(
                run.id(),
                label,
                group,
                run.state(),
                run.configuration().partitioning(),
                run.configuration().seed(),
                run.replicas().stream().map(RunView.ReplicaView::share).toList(),
                predicted,
                measured,
                predicted == null || measured == null
                        ? null
                        : Ratios.over(predicted - measured, measured),
                run.testAccuracy(),
                run.testLoss(),
                run.replicasIdentical(),
                Ratios.over(baseline.run().epochSeconds(), measured),
                figures,
                baseline.ratiosOf(run, figures),
                run.replicas().stream().map(replica -> rank(run, replica)).toList(),
                curve.thinned(MOST_POINTS).points());
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

    private static double mean(
            List<RunView.RankView> epochs, ToDoubleFunction<RunView.RankView> figure) {
        return epochs.stream().mapToDouble(figure).average().orElse(0);
    }
}
