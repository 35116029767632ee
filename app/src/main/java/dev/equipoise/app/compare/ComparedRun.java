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

    /**
     * What a run says by itself: no more than its comparison needs, since the epochs of all ranks
     * of a hundred runs would not fit into memory at once.
     */
    record Alone(
            RunId run,
            RunState state,
            Partitioning partitioning,
            long seed,
            List<Integer> shares,
            @Nullable Double predictedEpochSeconds,
            @Nullable Double epochSeconds,
            @Nullable Double testAccuracy,
            @Nullable Double testLoss,
            @Nullable Boolean replicasIdentical,
            Figures figures,
            List<ComparedRank> ranks,
            List<Curve.Point> curve) {

        /**
         * Sums a run up.
         *
         * @param target a test accuracy, or null where none is asked for
         */
        static Alone of(RunView run, @Nullable Double target) {
            Curve curve = Curve.of(run);
            return new Alone(
                    run.id(),
                    run.state(),
                    run.configuration().partitioning(),
                    run.configuration().seed(),
                    run.replicas().stream().map(RunView.ReplicaView::share).toList(),
                    Optional.ofNullable(run.prediction())
                            .map(Prediction::epochSeconds)
                            .orElse(null),
                    run.epochSeconds(),
                    run.testAccuracy(),
                    run.testLoss(),
                    run.replicasIdentical(),
                    Figures.of(run, curve, target),
                    run.replicas().stream().map(replica -> rank(run, replica)).toList(),
                    curve.thinned(MOST_POINTS).points());
        }

        private @Nullable Double predictionError() {
            return predictedEpochSeconds == null || epochSeconds == null
                    ? null
                    : Ratios.over(predictedEpochSeconds - epochSeconds, epochSeconds);
        }

        private @Nullable Ratios ratiosTo(Alone baseline) {
            return state == RunState.COMPLETED && baseline.state == RunState.COMPLETED
                    ? Ratios.of(figures, baseline.figures)
                    : null;
        }
    }

    static ComparedRun of(Alone run, String label, int group, Alone baseline) {
        return new ComparedRun(
                run.run(),
                label,
                group,
                run.state(),
                run.partitioning(),
                run.seed(),
                run.shares(),
                run.predictedEpochSeconds(),
                run.epochSeconds(),
                run.predictionError(),
                run.testAccuracy(),
                run.testLoss(),
                run.replicasIdentical(),
                Ratios.over(baseline.epochSeconds(), run.epochSeconds()),
                run.figures(),
                run.ratiosTo(baseline),
                run.ranks(),
                run.curve());
    }

    private static ComparedRank rank(RunView run, RunView.ReplicaView replica) {
        List<RunView.RankView> epochs =
                run.epochs().stream()
                        .flatMap(epoch -> epoch.ranks().stream())
                        .filter(it -> it.rank() == replica.rank())
                        .toList();
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
