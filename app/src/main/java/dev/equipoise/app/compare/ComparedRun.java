package dev.equipoise.app.compare;

import dev.equipoise.app.prediction.Prediction;
import dev.equipoise.app.run.RunState;
import dev.equipoise.app.run.RunView;
import dev.equipoise.protocol.Partitioning;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.RunPhases;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Run of a comparison.
 *
 * @param run id of the run
 * @param name what sets it apart from the others, seed included; unique among them
 * @param label label of its seed group
 * @param group number of its group, from 0
 * @param state state of the run
 * @param partitioning division of the samples among the ranks
 * @param seed seed of the run
 * @param shares samples of an epoch, by rank
 * @param predictedEpochSeconds predicted time of an epoch, in seconds; null without a prediction
 * @param epochSeconds median time of an epoch, in seconds; null before the first
 * @param predictionError relative error of the predicted epoch time, (predicted - measured) /
 *     measured; null if one of the two is unknown, or the divisor is 0
 * @param testAccuracy test accuracy at the last evaluation; null without one
 * @param testLoss test loss at the last evaluation; null without one
 * @param replicasIdentical whether all replicas had the same weights after each epoch; null before
 *     the first
 * @param speedup epoch time of the baseline over that of this run; null likewise
 * @param figures costs and results so far
 * @param elapsedSeconds time on the agents, from the start of the run to its end; null if unknown
 * @param phases its parts by run phase; null likewise
 * @param ratios null if the run or the baseline is not completed
 * @param ranks figures by rank
 * @param curve thinned if it has more points than a drawing needs
 */
record ComparedRun(
        RunId run,
        String name,
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
        @Nullable Double elapsedSeconds,
        @Nullable RunPhases phases,
        @Nullable Ratios ratios,
        List<ComparedRank> ranks,
        List<Curve.Point> curve) {

    /** Limit of the points of a curve; more would overlap in a drawing. */
    private static final int MAX_POINTS = 500;

    /**
     * Figures of one rank, means over its epochs.
     *
     * @param rank rank, from 0
     * @param worker name of the worker
     * @param samples samples of an epoch
     * @param computeSeconds time of gradients, in seconds
     * @param transferSeconds time of sending and receiving, in seconds
     * @param waitSeconds time of waiting for other ranks, in seconds
     * @param bytesSent bytes that the rank sent
     */
    record ComparedRank(
            int rank,
            String worker,
            int samples,
            double computeSeconds,
            double transferSeconds,
            double waitSeconds,
            long bytesSent) {}

    /**
     * Summary of one run with only what its comparison needs, since the epochs of all ranks of 100
     * runs would not fit into memory at once.
     */
    record Summary(
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
            @Nullable Double elapsedSeconds,
            @Nullable RunPhases phases,
            List<ComparedRank> ranks,
            List<Curve.Point> curve) {

        /** Summarizes a run. */
        static Summary of(RunView run, Criterion criterion) {
            Curve curve = Curve.of(run);
            return new Summary(
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
                    Figures.of(run, curve, criterion),
                    run.elapsedSeconds(),
                    run.phases(),
                    run.replicas().stream().map(replica -> rank(run, replica)).toList(),
                    curve.thinned(MAX_POINTS).points());
        }

        private @Nullable Double predictionError() {
            return predictedEpochSeconds == null || epochSeconds == null
                    ? null
                    : Ratios.over(predictedEpochSeconds - epochSeconds, epochSeconds);
        }

        private @Nullable Ratios ratiosTo(Summary baseline) {
            return state == RunState.COMPLETED && baseline.state == RunState.COMPLETED
                    ? Ratios.of(figures, baseline.figures)
                    : null;
        }
    }

    static ComparedRun of(Summary run, String name, String label, int group, Summary baseline) {
        return new ComparedRun(
                run.run(),
                name,
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
                run.elapsedSeconds(),
                run.phases(),
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
